import { gzipSync } from 'node:zlib';

export type Files = ReadonlyMap<string, string>;

const block = 512;

/** Packs a few small text files into a standard tar.gz. */
export function tarGz(folder: string, files: Files, at: Date): Buffer {
  const parts = [...files].flatMap(([name, text]) => {
    const bytes = Buffer.from(text);
    return [header(`${folder}/${name}`, bytes.length, at), bytes, Buffer.alloc(-bytes.length & (block - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}

function header(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error('the name of a file in the archive is too long');
  const bytes = Buffer.alloc(block);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  bytes.write(name, 0);
  bytes.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100);
  bytes.write(octal(size, 12) + octal(Math.floor(at.getTime() / 1_000), 12), 124);
  // The checksum is computed with spaces in its own field.
  bytes.write(' '.repeat(8), 148);
  bytes.write('0', 156);
  bytes.write('ustar\x0000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}
