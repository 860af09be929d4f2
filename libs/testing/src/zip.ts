import { crc32, deflateRawSync } from 'node:zlib';

/** Header fields of an entry, which may be false in the directory, in the local header, or in both. */
type EntryFields = {
  name?: string | Buffer;
  flags?: number;
  method?: number;
  crc?: number;
  packed?: number;
  size?: number;
  at?: number;
  extra?: Buffer;
};
export type ZipFile = {
  name: string;
  content?: string | Buffer;
  isStored?: boolean;
  /** Unix mode: 0o120777 is a link. */
  mode?: number;
  both?: EntryFields;
  local?: EntryFields;
  central?: EntryFields;
  /** Bytes between the entry's data and the next entry. */
  after?: Buffer;
};
type ZipOptions = { before?: Buffer; after?: Buffer; comment?: Buffer; count?: number };

/** Builds an archive, correct unless a file has false fields. */
export function aZip(files: readonly ZipFile[], { before, after, comment, count }: ZipOptions = {}): Buffer {
  const parts: Buffer[] = before ? [before] : [];
  const directory: Buffer[] = [];
  let offset = before?.length ?? 0;
  for (const file of files) {
    const { local, central } = entryOf(file, offset);
    parts.push(local);
    directory.push(central);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count ?? files.length, 8);
  end.writeUInt16LE(count ?? files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment?.length ?? 0, 20);
  return Buffer.concat([...parts, listed, end, comment ?? Buffer.alloc(0), after ?? Buffer.alloc(0)]);
}

function entryOf(file: ZipFile, offset: number): { local: Buffer; central: Buffer } {
  const content = Buffer.from(file.content ?? '');
  const isStored = file.isStored === true || file.name.endsWith('/');
  const data = isStored ? content : deflateRawSync(content);
  const correct = {
    name: file.name,
    flags: 0x800,
    method: isStored ? 0 : 8,
    crc: crc32(content),
    packed: data.length,
    size: content.length,
    at: offset,
    extra: Buffer.alloc(0),
  };
  const local = { ...correct, ...file.both, ...file.local };
  const central = { ...correct, ...file.both, ...file.central };
  return {
    local: Buffer.concat([localHeader(local), data, file.after ?? Buffer.alloc(0)]),
    central: centralHeader(central, file.mode ?? 0o100644),
  };
}

function localHeader(fields: Required<EntryFields>): Buffer {
  const name = Buffer.from(fields.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeCommon(header, 6, fields, name);
  return Buffer.concat([header, name, fields.extra]);
}

function centralHeader(fields: Required<EntryFields>, mode: number): Buffer {
  const name = Buffer.from(fields.name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(20, 6);
  writeCommon(header, 8, fields, name);
  header.writeUInt32LE((name.at(-1) === 0x2f ? (mode & 0o7777) | 0o040000 : mode) * 0x10000, 38);
  header.writeUInt32LE(fields.at, 42);
  return Buffer.concat([header, name, fields.extra]);
}

function writeCommon(header: Buffer, offset: number, fields: Required<EntryFields>, name: Buffer): void {
  header.writeUInt16LE(fields.flags, offset);
  header.writeUInt16LE(fields.method, offset + 2);
  header.writeUInt32LE(fields.crc, offset + 8);
  header.writeUInt32LE(fields.packed, offset + 12);
  header.writeUInt32LE(fields.size, offset + 16);
  header.writeUInt16LE(name.length, offset + 20);
  header.writeUInt16LE(fields.extra.length, offset + 22);
}

type Plugin = { slug?: string; version?: string | undefined; name?: string; more?: readonly ZipFile[] };

const pluginHead = ({ name = 'Boussole', version }: Plugin) =>
  `<?php\n/**\n * Plugin Name: ${name}\n${version === undefined ? '' : ` * Version: ${version}\n`} * Requires at least: 6.4\n * Requires PHP: 8.1\n */\n`;

export function aPlugin({ slug = 'boussole', more: files = [], version = '2.1.0', ...rest }: Plugin = {}): Buffer {
  return aZip([
    { name: `${slug}/` },
    { name: `${slug}/${slug}.php`, content: pluginHead({ version, ...rest }) },
    { name: `${slug}/readme.txt`, content: 'x'.repeat(2_000) },
    ...files,
  ]);
}

export const aVersionless = (): Buffer =>
  aZip([{ name: 'sans/sans.php', content: pluginHead({ name: 'Sans version' }) }]);

export function aTheme({ slug = 'voile', version = '1.4' } = {}): Buffer {
  const style = `/*\nTheme Name: Voile\nVersion: ${version}\nRequires PHP: 7.4\n*/\nbody {}\n`;
  return aZip([
    { name: `${slug}/style.css`, content: style },
    { name: `${slug}/index.php`, content: '<?php\n' },
  ]);
}
