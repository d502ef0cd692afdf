/** The rules of the house that a program can check, as functions of the files and their imports. */

const ranks: Record<string, number> = {
  lib: 0,
  core: 1,
  host: 2,
  search: 2,
  schemas: 2.5,
  agent: 3,
  changes: 3,
  config: 3,
  providers: 3,
  tools: 3,
  external: 3,
  mcp: 3,
  hooks: 3,
  extensions: 3,
  permissions: 3,
  instructions: 3,
  session: 3,
  front: 3,
  app: 4,
  cli: 5,
};

/** Files that are started, not imported. */
const entryPoints = [
  "src/schemas/schema_worker.ts",
  "src/host/watchdog/worker.ts",
  "src/search/scan/worker.ts",
];

/** Rooms that may touch the machine. */
const machineRooms = ["host", "search"];
const machineModules = ["node:fs", "node:fs/promises", "node:child_process"];

const maxLines = 250;

/** Packages that describe a protocol, with the room that speaks it: the type checker reads them, the program does not. */
const protocolRooms: Record<string, string> = {
  "@anthropic-ai/sdk": "providers",
  "@google/genai": "providers",
  "@mistralai/mistralai": "providers",
  "@modelcontextprotocol/client": "mcp",
  "openai": "providers",
};

export const typesOnlyPackages = Object.keys(protocolRooms);

/** Rooms that most runs do not need: loaded by `await import()` alone. */
const lateRooms = ["extensions", "hooks", "mcp"];

export interface Import {
  /** A file relative to the project, `node:...`, or a package's name. */
  readonly target: string;
  readonly kind: "value" | "dynamic" | "type";
}

export interface SourceFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Every broken rule as one line: file, what is wrong, what to do instead. */
export function findFaults(files: readonly SourceFile[]): string[] {
  const inSource = files.filter((file) => file.path.startsWith("src/"));
  return [
    ...inSource.flatMap(arrowFaults),
    ...inSource.flatMap(machineFaults),
    ...inSource.flatMap(styleFaults),
    ...packageFaults(inSource),
    ...startFaults(inSource),
    ...orphanFaults(files),
    ...cycleFaults(files),
  ];
}

function arrowFaults(file: SourceFile): string[] {
  const from = roomOf(file.path);
  const rank = ranks[from];
  if (rank === undefined) {
    return [`${file.path}: src/${from} is no room; rooms are ${Object.keys(ranks).join(", ")}`];
  }
  return file.imports.flatMap(({ target }) => {
    if (!target.endsWith(".ts")) return [];
    if (!target.startsWith("src/")) {
      return [`${file.path}: imports ${target}; src may only import from src`];
    }
    const to = roomOf(target);
    const other = ranks[to];
    if (other === undefined || to === from || other < rank) return [];
    return [
      other === rank
        ? `${file.path}: imports ${target} sideways; put what both need into core/ or lib/, or let ` +
          `app/ hand it over`
        : `${file.path}: imports ${target} upwards; turn the arrow round: a type in core/, the ` +
          `value handed down`,
    ];
  });
}

function machineFaults(file: SourceFile): string[] {
  const faults: string[] = [];
  const room = roomOf(file.path);
  const code = withoutCommentsAndTexts(file.text);
  const lineOf = (index: number) => code.slice(0, index).split("\n").length;
  if (!machineRooms.includes(room)) {
    const use = /\bDeno\s*\./.exec(code);
    if (use !== null) {
      faults.push(
        `${file.path}:${
          lineOf(use.index)
        }: uses Deno; reach the machine through the Host port or a ` +
          `function of host/`,
      );
    }
    for (const { target } of file.imports) {
      if (!machineModules.includes(target)) continue;
      faults.push(`${file.path}: imports ${target}; only host/ and search/ may`);
    }
  }
  const print = /\bconsole\s*\./.exec(code);
  if (print !== null) {
    faults.push(
      `${file.path}:${lineOf(print.index)}: uses console; write through the host's terminal`,
    );
  }
  if (room !== "front" && file.imports.some(({ target }) => target.startsWith("node:readline"))) {
    faults.push(`${file.path}: imports node:readline; prompts belong into front/`);
  }
  return faults;
}

function styleFaults(file: SourceFile): string[] {
  const faults: string[] = [];
  const lines = file.text.replace(/\n$/, "").split("\n").length;
  if (lines > maxLines) {
    faults.push(`${file.path}: ${lines} lines, more than ${maxLines}; it is probably two concepts`);
  }
  if (!/^\/\*\*\s+(\* )?[A-Z`"]/.test(file.text)) {
    faults.push(`${file.path}: begins without a doc comment; say in one line what the file is`);
  }
  if (/^export let\b/m.test(file.text)) {
    faults.push(`${file.path}: exports a variable; export a function, or keep it in an object`);
  }
  if (!/^[a-z0-9_]+\.ts$/.test(file.path.split("/").at(-1)!)) {
    faults.push(`${file.path}: rename it in snake_case`);
  }
  return faults;
}

function packageFaults(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, string[]>();
  const faults: string[] = [];
  for (const file of files) {
    for (const { target: name, kind } of file.imports) {
      if (name.endsWith(".ts") || name.startsWith("node:")) continue;
      if (!typesOnlyPackages.includes(name)) {
        const others = importers.get(name) ?? [];
        if (!others.includes(file.path)) importers.set(name, [...others, file.path]);
      } else if (kind !== "type") {
        faults.push(`${file.path}: imports values of ${name}; import its types only`);
      } else if (roomOf(file.path) !== protocolRooms[name]) {
        faults.push(`${file.path}: imports ${name}; only ${protocolRooms[name]}/ may`);
      }
    }
  }
  return faults.concat([...importers].flatMap(([name, paths]) => {
    if (name === "zod") {
      return paths.filter((path) => path !== "src/core/schema.ts")
        .map((path) => `${path}: imports zod; take z from core/schema.ts`);
    }
    const faults = paths.filter((path) => roomOf(path) !== "lib")
      .map((path) => `${path}: imports ${name}; wrap the package in one file of lib/`);
    if (faults.length === 0 && paths.length > 1) {
      return [`${paths.join(", ")}: all import ${name}; one wrapper in lib/ is enough`];
    }
    return faults;
  }));
}

/** A front end's start loads no package: what a run may not need is imported where it is used. */
function startFaults(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string, trail: string): string[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    const here = trail === "" ? path : `${trail} -> ${path}`;
    const values = (byPath.get(path)?.imports ?? []).filter(({ kind }) => kind === "value");
    return values.flatMap(({ target }) => {
      if (target.endsWith(".ts")) {
        const room = roomOf(target);
        return !lateRooms.includes(room) ? visit(target, here) : [
          `${here}: loads ${target} at the start; import ${room}/ with await import() where it is used`,
        ];
      }
      if (target.startsWith("node:")) return [];
      return [
        `${here}: loads ${target} at the start; import it with await import() where it is used`,
      ];
    });
  };
  return files.filter(({ path }) => roomOf(path) === "cli").flatMap(({ path }) => visit(path, ""));
}

/** What a script makes docs of is in use, too. */
function orphanFaults(files: readonly SourceFile[]): string[] {
  const imported = new Set(files.flatMap((file) => file.imports.map(({ target }) => target)));
  return files
    .filter(({ path }) =>
      path.startsWith("src/") && !imported.has(path) && !entryPoints.includes(path)
    )
    .map(({ path }) => `${path}: nothing in the program imports it; connect it or delete it`);
}

/** Groups of files that import one another at run time; each is reported once. */
function cycleFaults(files: readonly SourceFile[]): string[] {
  const edges = new Map(files.map((file) => [
    file.path,
    file.imports.filter(({ kind }) => kind === "value").map(({ target }) => target),
  ]));
  const done = new Set<string>();
  const faults: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const cycle = [...trail.slice(start), path].join(" -> ");
      faults.push(`${cycle}: a cycle; move what both need into a third file`);
      return;
    }
    if (done.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return faults;
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** `text` with comments and quoted texts blanked, line for line; templates stay. */
function withoutCommentsAndTexts(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
    (found) => found.replace(/[^\n]/g, " "),
  );
}
