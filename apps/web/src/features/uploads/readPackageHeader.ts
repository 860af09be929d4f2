import { findPackage, headerBytes, type PackageHeader, readHeader } from '@vigie/contracts/package-header';
import type { PackageKind } from '@vigie/contracts/uploads';
import { findDirectory, readDirectory, tailLength, viewOf, type ZipEntry } from '@vigie/contracts/zip-directory';

const localHeaderLength = 30;

const bytesOf = async (part: Blob) => new Uint8Array(await part.arrayBuffer());

/**
 * Reads an archive's name and version before it is sent; the server reads them again. Returns undefined where this
 * browser cannot read the archive, and throws the server's error where its list of files is invalid.
 */
export async function readPackageHeader(file: Blob, kind: PackageKind): Promise<PackageHeader | undefined> {
  const tail = await bytesOf(file.slice(Math.max(0, file.size - tailLength)));
  const directory = findDirectory(tail, file.size);
  const entries = readDirectory(await bytesOf(file.slice(directory.at, directory.at + directory.length)), directory);
  const { scripts, styles } = findPackage(entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name));
  for (const name of kind === 'plugin' ? scripts : styles) {
    const entry = entries.find((candidate) => candidate.name === name);
    const header = entry && readHeader(kind, await readHead(file, entry).catch(() => ''));
    if (header) return header;
  }
  return undefined;
}

async function readHead(file: Blob, { at, packed, isDeflated }: ZipEntry): Promise<string> {
  const local = viewOf(await bytesOf(file.slice(at, at + localHeaderLength)));
  const dataAt = at + localHeaderLength + local.getUint16(26, true) + local.getUint16(28, true);
  const data = file.slice(dataAt, dataAt + packed).stream();
  const content = isDeflated ? data.pipeThrough(new DecompressionStream('deflate-raw')) : data;
  return new TextDecoder().decode(await firstBytes(content));
}

async function firstBytes(content: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const head = new Uint8Array(headerBytes);
  const reader = content.getReader();
  let length = 0;
  while (length < headerBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, headerBytes - length);
    head.set(part, length);
    length += part.length;
  }
  await reader.cancel().catch(() => undefined);
  return head.subarray(0, length);
}
