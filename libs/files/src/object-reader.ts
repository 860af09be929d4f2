/** One stored object, read where somebody wants to read it. */
export interface ObjectReader {
  readonly size: number;
  /** Exactly these bytes, or an error where the object ends before them. The caller bounds `length`. */
  read(offset: number, length: number): Promise<Buffer>;
  /** From `start` up to `end`, in parts. */
  chunks(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export function requireWithin({ size }: Pick<ObjectReader, 'size'>, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > size) throw new RangeError('beyond the end of the object');
}
