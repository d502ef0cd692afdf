/** What a project's files say of MCP servers: the commands that they run, and the addresses that are asked. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { readStateFile, readUnlinkedFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";

/** The files of a project that can name servers, relative to it. */
export const serverFiles = [".mcp.json", ".nimlet/config.json"] as const;

const maxFileBytes = 1024 * 1024;

export interface NamedServer {
  readonly name: string;
  /** The program, its arguments, and what else can name a file: the folder it runs in, its variables. */
  readonly words: readonly string[];
  /** Command line or address, and what goes with it, for people; not escaped. */
  readonly shown: string;
}

/** The servers that the text of such a file names; none where it cannot be read. */
export async function serversIn(text: string): Promise<NamedServer[]> {
  const parsed = await parseLenient(text.replace(/^\ufeff/, ""));
  const root = "value" in parsed && isJsonObject(parsed.value) ? parsed.value : {};
  const own = isJsonObject(root.mcp) && isJsonObject(root.mcp.servers) ? root.mcp.servers : {};
  const shared = isJsonObject(root.mcpServers) ? root.mcpServers : {};
  return [...Object.entries(own), ...Object.entries(shared)]
    .flatMap(([name, entry]) => isJsonObject(entry) ? [serverOf(name, entry)] : []);
}

function serverOf(name: string, entry: JsonObject): NamedServer {
  const { command, args, cwd, env, url, headers, bearer_token } = entry;
  const line = [command ?? [], args ?? []].flat().filter(isText);
  const variables = textsOf(env), folder = isText(cwd) ? [cwd] : [];
  const words = line.length === 0
    ? []
    : [...line, ...folder, ...variables.map(([, value]) => value)];
  const [what, more] = isText(url) && line.length === 0
    ? [
      url,
      [
        ...textsOf(headers).map(([header, value]) => `${header}: ${value}`),
        ...isText(bearer_token) ? [`bearer_token: ${bearer_token}`] : [],
      ],
    ]
    : [
      line.join(" "),
      [
        ...folder.map((path) => `in ${path}`),
        ...variables.map(([variable, value]) => `${variable}=${value}`),
      ],
    ];
  // a variable can make another program of the same command line, a header send a secret away
  return { name, words, shown: more.length === 0 ? what : `${what} (${more.join(", ")})` };
}

function textsOf(value: Json | undefined): [string, string][] {
  return isJsonObject(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1]))
    : [];
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

/** One line a server that the project in `workspace` names, for the question about trust. */
export async function serverLines(workspace: string): Promise<string[]> {
  const lines: string[] = [];
  for (const file of serverFiles) {
    // each as it is read by whoever starts them: settings through links, the other not
    const look = file === ".mcp.json" ? readUnlinkedFile : readStateFile;
    const read = look(`${workspace}/${file}`, maxFileBytes);
    if (read.kind !== "text") continue;
    for (const { name, shown } of await serversIn(read.text)) {
      lines.push(`mcp server ${name}: ${shown}`);
    }
  }
  return lines;
}
