/** The look of exported sessions, light and dark. */
export const exportStyle = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --ink: #22262b; --soft: #68707a; --line: #e2dfd8; --box: #f2f0eb;
  --accent: #1f6f62; --user: #e9f2ef; --bad: #b03a2e; --add: #dff3e3; --del: #fbe3e0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17191c; --ink: #dfe2e6; --soft: #98a1ab; --line: #30343a; --box: #1f2226;
    --accent: #6cc5b3; --user: #1c2d2a; --bad: #f0897c; --add: #173822; --del: #43201d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 5rem; max-width: 54rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: .75rem; letter-spacing: .04em; color: var(--soft); margin: 0 0 .35rem; }
dl {
  display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0;
  font-size: .85rem; color: var(--soft);
}
dd { margin: 0; overflow-wrap: anywhere; }
header, nav { border-bottom: 1px solid var(--line); padding-bottom: 1rem; margin-bottom: 1rem; }
nav { font-size: .9rem; }
nav ol { margin: .5rem 0 0; padding-left: 1.5rem; }
a { color: var(--accent); }
section { margin: 0 0 1.4rem; }
.user {
  background: var(--user); border-left: 3px solid var(--accent); border-radius: 4px;
  padding: .8rem 1rem; margin-top: 2.2rem;
}
.user h2 { color: var(--accent); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text + *, pre + .text, details + .text, img + * { margin-top: .7rem; }
pre, code { font-family: ui-monospace, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--box); border-radius: 3px; padding: .1em .3em; font-size: .9em; }
pre {
  background: var(--box); border: 1px solid var(--line); border-radius: 4px;
  margin: .6rem 0 0; padding: .6rem .8rem; overflow: auto; max-height: 32rem;
  font-size: .82rem; line-height: 1.45; tab-size: 4; white-space: pre;
}
details { margin-top: .5rem; }
summary { cursor: pointer; }
.call, .thinking, .compaction details {
  border: 1px solid var(--line); border-radius: 4px; padding: .35rem .7rem; font-size: .9rem;
}
.call[open], .thinking[open], .compaction details[open] { padding-bottom: .7rem; }
.call summary { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.call summary span { color: var(--soft); font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85em; }
.call summary em { color: var(--bad); font-style: normal; }
.call.failed { border-left: 3px solid var(--bad); }
.thinking { color: var(--soft); }
.input { color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.compaction details { border-style: dashed; color: var(--soft); }
ins, del { text-decoration: none; display: inline-block; min-width: 100%; }
ins { background: var(--add); }
del { background: var(--del); }
img { display: block; max-width: 100%; margin-top: .6rem; border: 1px solid var(--line); border-radius: 4px; }
.missing { color: var(--soft); font-style: italic; }
@media print { pre { max-height: none; white-space: pre-wrap; } }
`;
