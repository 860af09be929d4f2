export interface ObjectReader {
  readonly size: number;
  /** Returns exactly these bytes, or throws when the object ends before them. The caller bounds `length`. */
  read(offset: number, length: number): Promise<Buffer>;
  chunks(start: number, end: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export function requireWithin({ size }: Pick<ObjectReader, 'size'>, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > size) throw new RangeError('beyond the end of the object');
}
