/** The key under which a permission for a shell command is remembered. */

/**
 * `bash:<command>`, without blanks at its ends and with each run of blanks outside quotes as one
 * space. From the first construct on whose inside quotes alone do not mark (comment, here
 * document, expansion with rules of its own) the command is kept to the letter, so that two
 * commands that do not mean the same never share a key.
 */
export function bashGrantKey(command: string): string {
  const text = command.replace(/^[ \t]+/, "");
  let key = "", at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    if (ownRules.test(rest) && !(rest.startsWith("#") && !startsWord(text, at))) {
      return `bash:${key}${rest}`;
    }
    const piece = pieceOf(rest);
    if (piece === undefined) return `bash:${key}${rest}`;
    key += /^[ \t]/.test(piece) ? (at + piece.length < text.length ? " " : "") : piece;
    at += piece.length;
  }
  return `bash:${key}`;
}

const ownRules = /^(?:#|<<|`|\$\{|\$\[|\$'|\$"|\(\()/;

/** One run of blanks, one quoted or escaped piece, or plain text; nothing for an open quote. */
function pieceOf(rest: string): string | undefined {
  switch (rest[0]) {
    case " ":
    case "\t":
      return /^[ \t]+/.exec(rest)![0];
    case "'":
      return /^'[^']*'/.exec(rest)?.[0];
    case '"':
      // a substitution within double quotes has quotes of its own
      return /^"(?:[^"\\`$]|\\[^]|\$(?![({[]))*"/.exec(rest)?.[0];
    case "\\":
      return /^\\[^]?/.exec(rest)![0];
    default:
      return /^(?:[^ \t'"\\#<`$(]+|[^])/.exec(rest)![0];
  }
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[\s;&|()<>]/.test(text[at - 1]!);
}
