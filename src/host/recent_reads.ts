/** What was read of files a moment ago: a start needs them twice, for its notices and for its prompt. */

/** Gives what `read` makes of the file at `path`, or gave for `key` a moment ago. */
export type RecentReads<Read> = (path: string, key: string, read: () => Read) => Read;

const maxAgeMs = 2000;
/**
 * A file that was changed so lately may change again without its times telling: the runtime knows that
 * of the inode in whole seconds, and some systems know all times in steps of two.
 */
const restMs = 1100, longRestMs = 3000;

/** Each reading is given once more, and only while the system says that the file is the same. */
export function recentReads<Read>(): RecentReads<Read> {
  const kept = new Map<string, { readonly mark: string; readonly atMs: number; read: Read }>();
  return (path, key, read) => {
    // before the reading: what changes meanwhile is seen next time
    const mark = markOf(path), atMs = performance.now();
    const known = kept.get(key);
    kept.delete(key);
    if (known !== undefined && known.mark === mark && atMs - known.atMs < maxAgeMs) {
      return known.read;
    }
    const fresh = read();
    if (mark !== undefined) kept.set(key, { mark, atMs, read: fresh });
    return fresh;
  };
}

/** What changes with the content of the regular file at `path`; undefined where that is not certain. */
function markOf(path: string): string | undefined {
  try {
    const { isFile, dev, ino, size, mtime, ctime } = Deno.lstatSync(path);
    if (!isFile || mtime === null || ctime === null) return undefined;
    const times = [mtime.getTime(), ctime.getTime()];
    const isCoarse = mtime.getTime() % 1000 === 0;
    if (Date.now() - Math.max(...times) < (isCoarse ? longRestMs : restMs)) return undefined;
    return [dev, ino, size, ...times].join();
  } catch {
    return undefined;
  }
}
