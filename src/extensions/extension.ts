/** One extension: its process, which is started again where it ends, within bounds. */
import { ProcessStartError } from "../core/host.ts";
import { messageOf } from "../core/failure.ts";
import { oneLine } from "../lib/one_line.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import { within } from "../lib/within.ts";
import { connect, type Connection } from "./connection.ts";
import { ExtensionFailure, quotedErrors } from "./failure.ts";
import { maxEnds, recentEnds } from "./recent_ends.ts";
import type { Registration } from "./protocol.ts";
import { guardsTheSame } from "./registration.ts";
import type { Extension, ExtensionOptions } from "./extension_port.ts";

const maxErrorChars = 2000;
const registerMs = 10_000;

export function createExtension(options: ExtensionOptions): Extension {
  const { found, clock } = options;
  let current: Attempt | undefined;
  let registration: Registration | undefined, registeredMs: number | undefined;
  let error: string | undefined, isDisabled = false, hasWarned = false, isFirst = true;
  const ends = recentEnds(clock.monotonic);
  let closes: Promise<void> = Promise.resolve();

  /** One process. */
  interface Attempt {
    readonly connection: Promise<Connection>;
    /** Resolves with what it offers, once that can be used. */
    readonly ready: Promise<Registration>;
    readonly begun: PromiseWithResolvers<void>;
    isOver: boolean;
    isClosed: boolean;
    isLate: boolean;
  }

  /** Only what is new is said: a person has read the rest. */
  function fail(sentence: string): void {
    error = sentence;
    if (!hasWarned) options.warn(`${found.title} ${sentence}`);
    hasWarned = true;
  }

  function noteEnd(sentence: string): void {
    error = sentence;
    if (ends.note() < maxEnds || isDisabled) return;
    isDisabled = true;
    const [reason, ...rest] = sentence.split("\n");
    error = `is disabled, as it ended ${maxEnds} times within a minute; /reload starts it again ` +
      `(last: ${reason})`;
    options.warn([`${found.title} ${error}`, ...rest].join("\n"));
  }

  function startProcess(waitMs = 0): Attempt {
    const begun = Promise.withResolvers<void>(), startMs = clock.monotonic();
    const attempt: Attempt = {
      begun,
      isOver: false,
      isClosed: false,
      isLate: false,
      connection: open(),
      ready: register(),
    };
    attempt.connection.catch(() => {});
    attempt.ready.catch(() => {});
    return attempt;

    async function open(): Promise<Connection> {
      await closes;
      if (waitMs > 0) await clock.delay(waitMs);
      try {
        if (attempt.isClosed) throw new ExtensionFailure("gone", "was ended");
        const launch = await options.launch(found);
        const connection = connect(launch, {
          ...options.events,
          warn: (sentence) => options.warn(`${found.title} ${sentence}`),
        }, clock.monotonic);
        void connection.over.then((how) => {
          attempt.isOver = true;
          if (!attempt.isClosed) noteEnd(how + quotedErrors(connection.errorText));
        });
        return connection;
      } catch (cause) {
        attempt.isOver = true;
        const isKnown = cause instanceof ProcessStartError || cause instanceof ExtensionFailure;
        const sentence = cause instanceof ProcessStartError
          ? `cannot be started: ${messageOf(cause)}`
          : messageOf(cause);
        if (!attempt.isClosed) {
          fail(sentence);
          noteEnd(sentence);
        }
        throw isKnown ? new ExtensionFailure("gone", sentence) : cause;
      }
    }

    async function register(): Promise<Registration> {
      await Promise.resolve();
      const connection = await attempt.connection;
      await begun.promise;
      if (attempt.isClosed) throw new ExtensionFailure("gone", "was ended");
      connection.tell(options.initialize());
      try {
        const given = await connection.registered;
        // what it guards is not for a process to change that came later, whyever the first one ended
        if (found.manifest.guards && registration && !guardsTheSame(registration, given)) {
          const sentence = "registered for other calls than before; it denies until /reload";
          throw new ExtensionFailure("disabled", sentence);
        }
        await options.onRegistered(given, isFirst);
        registration = given;
        registeredMs = Math.round(clock.monotonic() - startMs);
        isFirst = false;
        error = undefined;
        return given;
      } catch (cause) {
        if (!attempt.isClosed && cause instanceof ExtensionFailure) {
          fail(`${cause.message}.${quotedErrors(connection.errorText)}`);
          if (cause.kind !== "gone") void endFaulty(attempt, connection);
        }
        throw cause;
      }
    }
  }

  async function endFaulty(attempt: Attempt, connection: Connection): Promise<void> {
    attempt.isClosed = true;
    attempt.isOver = true;
    isDisabled = true;
    await connection.close("end");
  }

  function running(): Attempt {
    if (current !== undefined && !current.isOver) return current;
    if (isDisabled) {
      const [sentence = ""] = (error ?? "is disabled; /reload starts it again").split("\n");
      throw new ExtensionFailure("disabled", sentence);
    }
    current = startProcess(ends.waitMs());
    return current;
  }

  /** Rejects where it has not registered in time; a late one may still do it. */
  async function registeredIn(attempt: Attempt): Promise<Registration> {
    return await within(
      registerMs,
      attempt.ready,
      () => new ExtensionFailure("time-out", `did not register within ${registerMs / 1000} s`),
    );
  }

  return {
    found,
    callContext: options.callContext,
    get state() {
      if (isDisabled) return "disabled";
      return error === undefined ? "running" : "failed";
    },
    get isRunning() {
      return current !== undefined && !current.isOver;
    },
    get error() {
      return error;
    },
    get registration() {
      return registration;
    },
    get registeredMs() {
      return registeredMs;
    },
    start: () => void (current ??= startProcess()),
    begin: () => (current ??= startProcess()).begun.resolve(),
    async ready(signal) {
      if (isDisabled) return;
      const attempt = registration === undefined ? running() : current;
      if (attempt === undefined || attempt.isOver) return;
      attempt.begun.resolve();
      try {
        // one that is late is waited for once
        if (attempt.isLate) return;
        await unlessAborted(registeredIn(attempt), signal);
      } catch (cause) {
        signal.throwIfAborted();
        if (!(cause instanceof ExtensionFailure)) throw cause;
        if (cause.kind === "time-out") {
          attempt.isLate = true;
          const { errorText } = await attempt.connection;
          fail(`${cause.message}.${quotedErrors(errorText)}`);
        }
      }
    },
    async request(body, { signal, onUpdate }) {
      const attempt = running();
      attempt.begun.resolve();
      await unlessAborted(registeredIn(attempt), signal);
      const connection = await attempt.connection;
      const { timeoutSeconds } = found.manifest;
      const response = await connection.request(body, {
        signal,
        timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
        ...onUpdate && { onUpdate },
      });
      options.answered(response, body);
      if (response.error !== undefined) {
        throw new ExtensionFailure("error", `failed: ${oneLine(response.error, maxErrorChars)}`);
      }
      return response;
    },
    tell(line) {
      if (current === undefined || current.isOver) return;
      current.connection.then((connection) => connection.tell(line), () => {});
    },
    close(reason) {
      const attempt = current;
      current = undefined;
      ends.forget();
      isDisabled = false;
      hasWarned = false;
      isFirst = true;
      registration = undefined;
      error = undefined;
      if (attempt === undefined) return closes;
      attempt.isClosed = true;
      attempt.begun.resolve();
      return closes = attempt.connection.then(
        (connection) => connection.close(reason),
        // it was never there
        () => {},
      );
    },
  };
}
