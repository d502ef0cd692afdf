/** The notices of all that the binary is made of, as one text. */
import { fileURLToPath } from "node:url";
import type { BundledPackage } from "./bundled_packages.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

interface Part {
  readonly title: string;
  /** What of it is there, and why. */
  readonly note?: string;
  readonly text: string;
}

/** Texts of packages that ship none, by name. */
const ownTexts: Readonly<Record<string, string>> = { "@cfworker/json-schema": "json-schema" };

/** As the WebAssembly file says; a test holds them equal. */
export const pcre2Version = "10.34";

/** The whole text: nimlet's own licence first, then the runtime, then the packages by name. */
export async function licensesText(packages: readonly BundledPackage[]): Promise<string> {
  const parts: Part[] = [
    {
      title: "nimlet",
      text: await Deno.readTextFile(`${here}../../LICENSE`),
    },
    {
      title: "Deno, the runtime that the program is embedded in",
      note:
        "It is made of libraries of others in turn; Cargo.lock and the folder of each library\n" +
        "in its sources name them and their licences.",
      text: await notice("deno"),
    },
    { title: "V8, the engine of the runtime", text: await notice("v8") },
    {
      title: `PCRE2 ${pcre2Version}, compiled to WebAssembly`,
      note: "The package @stephen-riley/pcre2-wasm holds it.",
      text: await notice("pcre2"),
    },
    {
      title: "ICU, the Unicode library",
      note: "V8 holds all of it, web-tree-sitter some lines that decode text.",
      text: await notice("icu"),
    },
    {
      title: "Emscripten and musl, the C library of the WebAssembly files",
      text: await notice("emscripten"),
    },
    ...await Promise.all(packages.map(partOf)),
  ];
  const head =
    "nimlet is one file that holds software of others. These are their names, versions and\n" +
    "licences.\n";
  return [head, ...parts.map(shown)].join("\n");
}

async function partOf({ name, version, license, text }: BundledPackage): Promise<Part> {
  const own = ownTexts[name];
  if (text === undefined && own === undefined) {
    throw new Error(
      `${name} ${version} (${license}) ships no text of its licence: put one into ` +
        "scripts/packaging/notices, and its name into licenses.ts",
    );
  }
  return { title: `${name} ${version} (${license})`, text: text ?? await notice(own!) };
}

function shown({ title, note, text }: Part): string {
  const line = "=".repeat(80);
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n").map((one) => one.trimEnd());
  return [line, title, line, "", ...note === undefined ? [] : [note, ""], ...lines, ""].join("\n");
}

async function notice(name: string): Promise<string> {
  return await Deno.readTextFile(`${here}notices/${name}.txt`);
}
