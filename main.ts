import { main } from "./src/cli/main.ts";
import { realHost } from "./src/host/real_host.ts";

Deno.exit(await main(Deno.args, realHost(), Deno.exit));
