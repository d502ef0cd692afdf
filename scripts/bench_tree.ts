/** The tree that searches are measured on: 14,800 files of 67 MB, made from a seed. */

/** It is made once and lies in a folder that stays until the process ends. */
export function treeKeeper(): <T>(use: (tree: string) => Promise<T>) => Promise<T> {
  let made: Promise<string> | undefined;
  return async (use) => await use(await (made ??= makeTree()));
}

const treeFiles = 14_800, treeFolders = 1_200, meanFileBytes = 3_600;
/** One file in so many is binary, of this mean size. */
const binaryEvery = 30, meanBinaryBytes = 32_000;
const vocabulary =
  ("the of parser value function return error const let import export class index token stream " +
    "buffer handler config request response path file line match count result data node tree list " +
    "map set key type name user state event queue cache async await promise string number boolean")
    .split(" ");
const extensions = ["ts", "ts", "ts", "js", "py", "md", "json", "go", "rs", "c", "txt", "css"];

async function makeTree(): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "nimlet-bench-tree-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(root, { recursive: true }));
  const random = randomSource(20_240_229);
  const word = () => vocabulary[random(vocabulary.length)]!;
  Deno.mkdirSync(`${root}/.git/info`, { recursive: true });
  Deno.writeTextFileSync(`${root}/.gitignore`, ignored.replaceAll(" ", "\n"));
  const folders = [root];
  for (let index = 0; index < treeFolders; index++) {
    const folder = `${folders[random(folders.length)]}/${word()}${index}`;
    Deno.mkdirSync(folder);
    folders.push(folder);
  }
  for (let index = 0; index < treeFiles; index++) {
    const folder = folders[random(folders.length)];
    if (index % binaryEvery === 0) {
      const bytes = makeBytes(random, random(2 * meanBinaryBytes));
      Deno.writeFileSync(`${folder}/${word()}_${index}.bin`, bytes);
      continue;
    }
    const name = `${word()}_${index}.${extensions[random(extensions.length)]}`;
    Deno.writeTextFileSync(`${folder}/${name}`, makeText(random, word, random(2 * meanFileBytes)));
  }
  return root;
}

/** As many rules as such a file often has. */
const ignored =
  "*.log /tmp/ node_modules/ *.o *.swp .DS_Store *.tsbuildinfo .env .env.local .cache/ " +
  "docs/_build/ *.pyc __pycache__/ npm-debug.log* report.[0-9]*.json pids *.pid *.seed lib-cov " +
  "*.lcov .nyc_output .grunt bower_components build/Release .npm .eslintcache *.tgz .nuxt .temp " +
  ".serverless/ .yarn/cache *.class *.jar *.dll *.exe *.so /bin/ /obj/ *.user .idea/ *.iml";

function makeBytes(random: (below: number) => number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index < 4 ? 0 : random(256));
}

/** Lines of words, a call now and then, and a note in one line of four hundred. */
function makeText(random: (below: number) => number, word: () => string, bytes: number): string {
  let text = "";
  while (text.length < bytes) {
    text += "  ".repeat(random(5));
    for (let left = random(12); left > 0; left--) {
      text += word() + ["", "", "", "(", ".", "_x1"][random(6)]! + " ";
    }
    text += random(400) === 0 ? `// ${random(2) === 0 ? "TODO" : "FIXME"} later\n` : "\n";
  }
  return text;
}

function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}
