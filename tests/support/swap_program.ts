/** A process that exchanges two names over and over: what a race test runs beside the program. */
const [one = "", other = ""] = Deno.args;

/** Leaves things as they are for a moment, of any length up to that of a quick call. */
function stay(): void {
  const until = performance.now() + Math.random() * 0.4;
  while (performance.now() < until);
}

Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
for (;;) {
  Deno.renameSync(one, `${one}.swap`);
  Deno.renameSync(other, one);
  Deno.renameSync(`${one}.swap`, other);
  stay();
}
