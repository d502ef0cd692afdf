/** Colours: on where a person looks at a terminal and did not ask for none. */

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const plain = (text: string) => text;

const plainStyle: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
};

const colourStyle: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  red: (text) => `\x1b[31m${text}\x1b[39m`,
  green: (text) => `\x1b[32m${text}\x1b[39m`,
  yellow: (text) => `\x1b[33m${text}\x1b[39m`,
  cyan: (text) => `\x1b[36m${text}\x1b[39m`,
};

/** `colour` should be false for `NO_COLOR`, `TERM=dumb`, and a stream that is no terminal. */
export function createStyle(colour: boolean): Style {
  return colour ? colourStyle : plainStyle;
}

export function wantsColour(isTerminal: boolean, get: (name: string) => string | undefined) {
  return isTerminal && !get("NO_COLOR") && get("TERM") !== "dumb";
}

/** `text` without the colours that this program itself writes. */
export function withoutColours(text: string): string {
  // deno-lint-ignore no-control-regex -- they begin with an escape
  return text.replace(/\x1b\[\d+m/g, "");
}
