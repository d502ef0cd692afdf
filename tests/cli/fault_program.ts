/** A program that is nimlet with a fault of its own: an error that nobody catches, once a file `begun` is there. */
import { main } from "../../src/cli/main.ts";
import { realHost } from "../../src/host/real_host.ts";

const [kind, ...args] = Deno.args;
const fail = () => {
  throw new Error("a fault\nof the program");
};
const timer = setInterval(() => {
  try {
    Deno.statSync("begun");
  } catch {
    return;
  }
  clearInterval(timer);
  if (kind === "throw") fail();
  Promise.resolve().then(fail);
}, 10);
Deno.exit(await main(args, realHost(), Deno.exit));
