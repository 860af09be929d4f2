import { AppError } from './errors';

/** A file or folder of an archive, as its central directory describes it. */
export type ZipEntry = {
  /** A folder's name has no final slash. */
  name: string;
  isFolder: boolean;
  rawName: Uint8Array;
  flags: number;
  isDeflated: boolean;
  crc: number;
  packed: number;
  size: number;
  /** Offset of the local header. */
  at: number;
};

export type DirectoryLocation = { at: number; length: number; count: number };

const maxEntries = 20_000;
const maxDirectoryBytes = 8 * 1024 * 1024;
const maxNameLength = 1_024;
const endLength = 22;
/** The end record is followed only by a comment of at most 65,535 bytes. */
export const tailLength = endLength + 0xffff;

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const isEncrypted = 0x2041;
const isUtf8 = 0x800;
const unicodePath = 0x7075;
const [typeBits, fileBits, folderBits] = [0o170000, 0o100000, 0o040000];

export const refuseArchive = (problem: string, remedy = 'Créez l’archive de nouveau, puis recommencez.') =>
  new AppError('invalid', `${problem} ${remedy}`);

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Finds the central directory from `tail`, the last bytes of an archive of `size` bytes. */
export function findDirectory(tail: Uint8Array, size: number): DirectoryLocation {
  const end = findEnd(tail);
  const view = viewOf(tail.subarray(end));
  const [count, length, offset] = [view.getUint16(10, true), view.getUint32(12, true), view.getUint32(16, true)];
  const isWhole = view.getUint16(4, true) === 0 && view.getUint16(6, true) === 0 && view.getUint16(8, true) === count;
  if (!isWhole) throw refuseArchive('Cette archive est coupée en plusieurs volumes.');
  if (count === 0) throw refuseArchive('Cette archive est vide.');
  if (count === 0xffff || length === 0xffffffff || offset === 0xffffffff) {
    throw refuseArchive(
      'Cette archive est au format ZIP64, que Vigie n’accepte pas.',
      'Créez-la au format .zip usuel.',
    );
  }
  if (count > maxEntries) {
    const remedy = 'Retirez ce qui ne sert pas au site (sources, tests, node_modules), puis recommencez.';
    throw refuseArchive(`Cette archive contient plus de ${maxEntries} fichiers.`, remedy);
  }
  if (offset + length !== size - tail.length + end || length > maxDirectoryBytes) {
    throw refuseArchive('Le sommaire de cette archive n’est pas à sa place.');
  }
  return { at: offset, length, count };
}

function findEnd(tail: Uint8Array): number {
  const view = viewOf(tail);
  const ends: number[] = [];
  for (let at = tail.length - endLength; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== endMark) continue;
    if (at + endLength + view.getUint16(at + 20, true) === tail.length) ends.push(at);
  }
  const [end] = ends;
  if (end === undefined) throw refuseArchive('Ce fichier n’est pas une archive .zip complète.');
  if (ends.length > 1) throw refuseArchive('Cette archive se termine deux fois.');
  return end;
}

/** Reads all entries and refuses names that would leave the folder they are unpacked into. */
export function readDirectory(bytes: Uint8Array, { count }: DirectoryLocation): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let n = 0; n < count; n += 1) {
    const { entry, length } = readEntry(bytes, at);
    entries.push(entry);
    at += length;
  }
  if (at !== bytes.length) throw damaged();
  refuseDuplicates(entries);
  return entries;
}

const damaged = () => refuseArchive('Le sommaire de cette archive est abîmé.');

function readEntry(bytes: Uint8Array, at: number): { entry: ZipEntry; length: number } {
  if (at + 46 > bytes.length) throw damaged();
  const view = viewOf(bytes.subarray(at));
  const short = (offset: number) => view.getUint16(offset, true);
  const long = (offset: number) => view.getUint32(offset, true);
  const [flags, method, crc, compressedSize, size] = [short(8), short(10), long(16), long(20), long(24)] as const;
  const [nameEnd, extraEnd] = [46 + short(28), 46 + short(28) + short(30)];
  const length = extraEnd + short(32);
  if (long(0) !== entryMark || at + length > bytes.length || short(34) !== 0) throw damaged();
  const rawName = bytes.subarray(at + 46, at + nameEnd);
  const fullName = requireSafeName(decodeName(rawName, flags));
  const [otherName, ...more] = namesInExtra(bytes.subarray(at + nameEnd, at + extraEnd));
  // Unpacking tools may use either name, so both must agree, unless the first is in an old encoding.
  if (otherName !== undefined) requireSafeName(otherName);
  const hasOtherName = otherName !== undefined && otherName !== fullName && rawName.every((byte) => byte < 0x80);
  if (hasOtherName || more.length > 0) throw refuseArchive(`Cette archive donne plusieurs noms à ${quote(fullName)}.`);
  const isFolder = fullName.endsWith('/');
  refuseKind(fullName, (long(38) >>> 16) & typeBits, isFolder);
  refuseUnreadable(fullName, { flags, method, size, compressedSize });
  if (isFolder && size > 0) throw wrongSize(fullName);
  const name = isFolder ? fullName.slice(0, -1) : fullName;
  return {
    entry: {
      name,
      isFolder,
      rawName,
      flags,
      isDeflated: method === 8,
      crc,
      packed: compressedSize,
      size,
      at: long(42),
    },
    length,
  };
}

const wrongSize = (name: string) => refuseArchive(`La taille annoncée de ${quote(name)} est fausse.`);

type EntryEncoding = { flags: number; method: number; size: number; compressedSize: number };

function refuseUnreadable(name: string, { flags, method, size, compressedSize: packed }: EntryEncoding): void {
  if ((flags & isEncrypted) !== 0) {
    throw refuseArchive(`${quote(name)} est chiffré.`, 'Créez l’archive sans mot de passe, puis recommencez.');
  }
  if (method !== 0 && method !== 8) {
    const problem = `${quote(name)} est compressé par une méthode que WordPress ne lit pas.`;
    throw refuseArchive(problem, 'Créez l’archive au format .zip usuel.');
  }
  if (method === 0 && packed !== size) throw wrongSize(name);
}

export const quote = (name: string) => `«\u00a0${name.length > 80 ? `${name.slice(0, 79)}…` : name}\u00a0»`;

/** Old tools write names in other encodings: a name that is not UTF-8 is read as Latin-1, which hides no slash. */
function decodeName(raw: Uint8Array, flags: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch (cause) {
    if ((flags & isUtf8) !== 0) throw new AppError('invalid', damaged().detail, { cause });
    return String.fromCharCode(...raw.subarray(0, maxNameLength + 1));
  }
}

/** Reads the Unicode path fields, which some tools use instead of the entry's name. */
function namesInExtra(extra: Uint8Array): string[] {
  const view = viewOf(extra);
  const names: string[] = [];
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = view.getUint16(at + 2, true);
    if (at + 4 + length > extra.length) throw damaged();
    if (view.getUint16(at, true) === unicodePath && length > 5) {
      names.push(decodeName(extra.subarray(at + 9, at + 4 + length), isUtf8));
    }
    at += 4 + length;
  }
  return names;
}

function requireSafeName(name: string): string {
  const inside = name.endsWith('/') ? name.slice(0, -1) : name;
  const isUnsafe =
    name.length > maxNameLength ||
    /[\p{Cc}\\]/u.test(name) ||
    /^[A-Za-z]:/.test(name) ||
    inside.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (!isUnsafe) return name;
  const printableName = quote(name.replaceAll(/\p{Cc}/gu, '\ufffd'));
  throw refuseArchive(`Cette archive contient un chemin dangereux, ${printableName}.`, 'N’installez pas ce fichier.');
}

function refuseKind(name: string, kind: number, isFolder: boolean): void {
  if (kind === 0 || kind === (isFolder ? folderBits : fileBits)) return;
  const problem = 'Cette archive contient un lien ou un fichier spécial';
  throw refuseArchive(`${problem}, ${quote(name)}.`, 'Remplacez-le par un vrai fichier, puis recommencez.');
}

/** Refuses duplicate names, because the second entry would overwrite the first, which was checked. */
function refuseDuplicates(entries: readonly ZipEntry[]): void {
  const folders = new Map<string, boolean>();
  for (const { name, isFolder } of entries) {
    if (folders.has(name)) throw refuseArchive(`Cette archive contient deux fois ${quote(name)}.`);
    folders.set(name, isFolder);
  }
  for (const { name } of entries) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      if (folders.get(name.slice(0, at)) === false) {
        throw refuseArchive(`${quote(name.slice(0, at))} est un fichier et un dossier à la fois.`);
      }
    }
  }
}
