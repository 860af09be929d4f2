import type { Source } from './source';

export function readAhead(source: Source, pieceBytes = 1_048_576): Source {
  let piece: Buffer = Buffer.alloc(0);
  let from = 0;
  return {
    size: source.size,
    read: async (offset, length) => {
      if (length >= pieceBytes || offset + length > source.size) return source.read(offset, length);
      if (offset < from || offset + length > from + piece.length) {
        piece = await source.read(offset, Math.min(Math.max(length, pieceBytes), source.size - offset));
        from = offset;
      }
      return piece.subarray(offset - from, offset - from + length);
    },
  };
}

const headerPieceBytes = 131_072;
const nearBytes = 32_768;

/** Reads a source from header to header: the headers of small files lie close together and come in one piece. */
export function readHeadersAhead(source: Source): Source {
  let piece: Buffer = Buffer.alloc(0);
  let from = 0;
  return {
    size: source.size,
    read: async (offset, length) => {
      if (offset < from || offset + length > from + piece.length) {
        const isNear = offset >= from && offset - from - piece.length < nearBytes;
        const max = isNear ? Math.max(length, headerPieceBytes) : length;
        piece = await source.read(offset, Math.min(max, Math.max(length, source.size - offset)));
        from = offset;
      }
      return piece.subarray(offset - from, offset - from + length);
    },
  };
}
