/** How much memory the program holds at the moment. */

export function residentBytes(): number {
  return Deno.memoryUsage().rss;
}
