/**
 * The proxy that lets commands inside reach the hosts of a list: HTTP on a unix socket, `CONNECT` and
 * absolute addresses. It opens no TLS, and dials only an address that it has looked at.
 */
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { allowsHost, foldedHost } from "../../core/sandbox_hosts.ts";
import { internalKind } from "../../lib/internal_address.ts";
import { joinBytes } from "../../lib/join_bytes.ts";

export interface ProxyOptions {
  /** Where it listens. */
  readonly path: string;
  readonly hosts: readonly string[];
  /** Called with `host:port` and why, for each connection that is not let through. */
  refused(target: string, reason: string): void;
  /** The addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly dial?: (address: string, port: number) => Promise<Deno.Conn>;
}

const maxConnections = 256;
const maxHeadBytes = 64 * 1024;
const patienceMs = 30_000;

/** Listens until `close`. */
export function openProxy(options: ProxyOptions): { close(): void } {
  const listener = Deno.listen({ transport: "unix", path: options.path });
  listener.unref();
  const open = new Set<Deno.Conn>();
  (async () => {
    for await (const client of listener) {
      if (open.size >= maxConnections) {
        client.close();
        continue;
      }
      open.add(client);
      serve(client, options, open).catch(() => {
        // whoever is at either end sees the connection close
      }).finally(() => {
        open.delete(client);
        close(client);
      });
    }
  })().catch(() => {
    // closed
  });
  return {
    close() {
      listener.close();
      open.forEach(close);
    },
  };
}

async function serve(
  client: Deno.Conn,
  options: ProxyOptions,
  open: Set<Deno.Conn>,
): Promise<void> {
  const timer = setTimeout(() => close(client), patienceMs);
  let upstream: Deno.Conn | undefined;
  try {
    const head = await readHead(client);
    if (head === undefined) return;
    const request = parseHead(head);
    if (request === undefined) return await answer(client, "400 Bad Request", "no such request");
    const { host, port } = request;
    const target = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    const addresses = await reachable(host, port, options);
    if (typeof addresses === "string") {
      options.refused(target, addresses);
      return await answer(client, "403 Forbidden", `${target} ${addresses}`);
    }
    upstream = await dialFirst(addresses, port, options);
    if (upstream === undefined) {
      return await answer(client, "502 Bad Gateway", `${target} cannot be reached`);
    }
    clearTimeout(timer);
    open.add(upstream);
    if (request.isTunnel) {
      await writeAll(client, text("HTTP/1.1 200 Connection established\r\n\r\n"));
    }
    await writeAll(upstream, request.first);
    await Promise.all([pump(client, upstream), pump(upstream, client)]);
  } finally {
    clearTimeout(timer);
    if (upstream !== undefined) {
      open.delete(upstream);
      close(upstream);
    }
  }
}

/** Copies to the end of what comes, and hands the end on. */
async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = await from.read(buffer);
    if (count === null) break;
    await writeAll(to, buffer.subarray(0, count));
  }
  await to.closeWrite();
}

/** The bytes up to the empty line and what came with them; undefined where there is none. */
async function readHead(client: Deno.Conn): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  for (let size = 0; size < maxHeadBytes;) {
    const buffer = new Uint8Array(16 * 1024);
    const count = await client.read(buffer);
    if (count === null) return undefined;
    size += count;
    pieces.push(buffer.subarray(0, count));
    const all = joinBytes(pieces);
    if (latin1(all).includes(headEnd)) return all;
  }
  return undefined;
}

const headEnd = "\r\n\r\n";

interface ProxyRequest {
  readonly isTunnel: boolean;
  readonly host: string;
  readonly port: number;
  /** What the server gets first. */
  readonly first: Uint8Array;
}

function parseHead(bytes: Uint8Array): ProxyRequest | undefined {
  const all = latin1(bytes), end = all.indexOf(headEnd);
  const [line = "", ...fields] = all.slice(0, end).split("\r\n");
  const [, method, target = ""] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? [];
  const rest = bytes.subarray(end + headEnd.length);
  if (method === "CONNECT") {
    const [, host = "", digits] = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(target) ?? [];
    const port = Number(digits);
    return host === "" || !(port > 0 && port < 65536)
      ? undefined
      : { isTunnel: true, host: foldedHost(host), port, first: rest };
  }
  const url = method === undefined ? null : URL.parse(target);
  if (url === null || url.protocol !== "http:") return undefined;
  const kept = fields.filter((field) => !/^(proxy-[^:]*|host|connection|keep-alive):/i.test(field));
  const first = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: close",
    ...kept,
  ];
  return {
    isTunnel: false,
    host: foldedHost(url.hostname),
    port: Number(url.port || 80),
    first: joinBytes([bytesOfLatin1(first.join("\r\n") + headEnd), rest]),
  };
}

/** The addresses to dial, or why there are none; a name is looked up once, and all of it judged. */
async function reachable(
  host: string,
  port: number,
  { hosts, resolve = addressesOf }: ProxyOptions,
): Promise<readonly string[] | string> {
  if (!allowsHost(hosts, host, port)) return "is not allowed";
  const isLiteral = host.includes(":") || /^[\d.]+$/.test(host);
  // listed as they are, so meant
  if (isLiteral) return [host];
  const found = await resolve(host).catch(() => []);
  if (found.length === 0) return "cannot be found";
  if (host === "localhost") return found;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    .map(({ address }) => address);
  for (const address of found) {
    if (allowsHost(hosts, address, port)) continue;
    const kind = internalKind(address) ?? (own.includes(address) ? "this machine's" : undefined);
    if (kind !== undefined) return `is not allowed, as ${address} is a ${kind} address`;
  }
  return found;
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function dialFirst(
  addresses: readonly string[],
  port: number,
  { dial = (hostname, port) => Deno.connect({ hostname, port }) }: ProxyOptions,
): Promise<Deno.Conn | undefined> {
  for (const address of addresses) {
    try {
      return await dial(address, port);
    } catch {
      // the next one
    }
  }
  return undefined;
}

async function answer(client: Deno.Conn, status: string, reason: string): Promise<void> {
  const body = `nimlet's sandbox: ${reason}\n`;
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: text/plain",
    `Content-Length: ${text(body).length}`,
    "Connection: close",
  ];
  await writeAll(client, text(head.join("\r\n") + headEnd + body));
}

async function writeAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await to.write(bytes.subarray(done));
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // closed already
  }
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function latin1(bytes: Uint8Array): string {
  let all = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    all += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return all;
}

function bytesOfLatin1(value: string): Uint8Array {
  return Uint8Array.from(value, (character) => character.charCodeAt(0));
}
