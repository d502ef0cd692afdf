/** The version of the program; a test holds it equal to deno.json's. */
export const version = "0.1.0";
