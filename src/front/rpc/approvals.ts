/** The questions that a client of RPC mode answers, once it has offered to. */
import type { Emit } from "../../core/event.ts";
import type { AskPermission, PermissionAnswer } from "../../core/permission.ts";

export interface RpcApprovals {
  /** Undefined until the client has opted in: then the headless rule decides. */
  readonly ask: AskPermission | undefined;
  optIn(): void;
  /** The problem, where there is no such question or no such answer to it. */
  answer(requestId: string, answer: string): string | undefined;
  denyAll(): void;
}

export function rpcApprovals(
  emit: Emit,
  newId: () => string,
): RpcApprovals {
  const open = new Map<
    string,
    { answers: readonly PermissionAnswer[]; resolve(answer: PermissionAnswer): void }
  >();
  let optedIn = false;

  const ask: AskPermission = async (question, signal) => {
    const requestId = newId();
    const answers: PermissionAnswer[] = !question.canRemember
      ? ["once", "deny"]
      : question.canRememberForProject
      ? ["once", "session", "project", "deny"]
      : ["once", "session", "deny"];
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    open.set(requestId, { answers, resolve });
    const onAbort = () => resolve("deny");
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await emit({
        type: "approval_required",
        request_id: requestId,
        tool_name: question.tool,
        subject: question.subject.toWellFormed(),
        grant_key: question.grantKey.toWellFormed(),
        ...(question.danger === undefined ? {} : { danger: question.danger }),
        ...(question.askedBy === undefined ? {} : { asked_by: question.askedBy.toWellFormed() }),
        ...(question.outside === undefined
          ? {}
          : { outside_sandbox: question.outside.toWellFormed() }),
        ...(question.involved ? { involved: true } : {}),
        ...(question.changed ? { changed: true } : {}),
        answers,
      });
      return await promise;
    } finally {
      open.delete(requestId);
      signal.removeEventListener("abort", onAbort);
    }
  };

  return {
    get ask() {
      return optedIn ? ask : undefined;
    },
    optIn: () => void (optedIn = true),
    answer(requestId, answer) {
      const question = open.get(requestId);
      if (!question) return `request_id: there is no open question ${JSON.stringify(requestId)}`;
      const fitting = question.answers.find((candidate) => candidate === answer);
      if (!fitting) {
        return `answer: expected ${question.answers.join(" or ")}, found ${JSON.stringify(answer)}`;
      }
      question.resolve(fitting);
      return undefined;
    },
    denyAll: () => open.forEach(({ resolve }) => resolve("deny")),
  };
}
