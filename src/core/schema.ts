/** The one import of the schema library; everyone takes `z` from here. */
import * as z from "zod";

// No generated code: start-up stays short and a security review stays honest.
z.config({ jitless: true });

export { z };
