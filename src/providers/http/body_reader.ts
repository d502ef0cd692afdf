/** Reads a body's bytes into one buffer, again and again. */

export interface BodyPiece {
  readonly done: boolean;
  /** Good until the next read. */
  readonly value?: Uint8Array | undefined;
}

export interface BodyReader {
  read(): Promise<BodyPiece>;
  cancel(reason?: unknown): Promise<void>;
}

const bufferBytes = 64 * 1024;

/**
 * The runtime makes a buffer of this size for each piece, however small: an answer of many pieces
 * leaves hundreds of them to be collected. Bodies that do not read into buffers are read as they are.
 */
export function bodyReader(body: ReadableStream<Uint8Array>): BodyReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return body.getReader();
    throw error;
  }
  let spare: ArrayBuffer | undefined;
  return {
    async read() {
      const buffer = spare ?? new ArrayBuffer(bufferBytes);
      spare = undefined; // the stream's until it gives it back
      const { done, value } = await reader.read(new Uint8Array(buffer));
      spare = value?.buffer as ArrayBuffer | undefined;
      return done ? { done } : { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
