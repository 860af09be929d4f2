import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { headBytes, type Letter, tagBytes } from './format';
import { createAuthenticator, headerText } from './frame-authenticator';
import { ArchiveReader } from './read-archive';
import { ArchiveWriter, writeNewFile } from './write-archive';

const passphrase = 'quatre mots pour une tour';
const key = 'ab'.repeat(32);
const manifest = {
  release: 'v1.0.0',
  made_at: '2026-01-01T00:00:00.000Z',
  schemas: [
    {
      name: 'auth',
      migrations: ['Create1795250000000'],
      tables: [{ name: 'users', columns: ['id'] }],
      sequences: [],
    },
  ],
  missing: [],
};
const contents = new Map([
  ['keys/gateway', Buffer.from('{"canari":"clé"}')],
  ['rows/auth.users', Buffer.alloc(700_000, 'x')],
  ['rows/auth.empty', Buffer.alloc(0)],
  [`objects/${key}`, Buffer.alloc(2_600_000, 'y')],
]);

let folder: string;
let file: string;
beforeEach(() => {
  folder = testFolder('archive');
  file = join(folder, 'a');
});

function* inPieces(bytes: Buffer) {
  for (let offset = 0; offset < bytes.length; offset += 70_000) yield bytes.subarray(offset, offset + 70_000);
}

const write = (secret?: string) =>
  writeNewFile(file, async (handle) => {
    const writer = await ArchiveWriter.begin(handle, secret);
    for (const [name, bytes] of contents) await writer.writePart(name, inPieces(bytes));
    await writer.end(manifest);
  });

async function read(secret?: string) {
  const reader = await ArchiveReader.open(file, secret);
  try {
    const hashes = new Map<string, string>();
    for await (const { name, content } of reader.parts()) {
      const hash = createHash('sha256');
      for await (const bytes of content) hash.update(bytes);
      hashes.set(name, hash.digest('hex'));
    }
    return { seen: hashes, manifest: reader.manifest };
  } finally {
    await reader.close();
  }
}

type RawFrame = { letter: Letter; bytes: Buffer };

/** The frames of an archive, with their offsets. */
function framesOf(bytes: Buffer) {
  const frames: (RawFrame & { offset: number })[] = [];
  const headerEnd = bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1;
  for (let offset = headerEnd; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset + 1);
    const start = offset + headBytes;
    frames.push({
      letter: bytes.toString('latin1', offset, offset + 1) as Letter,
      bytes: bytes.subarray(start, start + length),
      offset,
    });
    offset = start + length + tagBytes;
  }
  return frames;
}

/** Writes an archive of these frames with valid tags, as an attacker who knows the format would. */
async function forge(frames: readonly RawFrame[]): Promise<void> {
  const authenticator = await createAuthenticator({ salt: null }, undefined);
  const sealed = frames.flatMap(({ letter, bytes }) => {
    const head = Buffer.alloc(headBytes);
    head.write(letter, 0, 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    const { body, tag } = authenticator.seal(head, bytes);
    return [head, body, tag];
  });
  writeFileSync(file, Buffer.concat([Buffer.from(headerText({ salt: null })), ...sealed]));
}

async function countBytes(content: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const { length } of content) count += length;
  return count;
}

describe.each([
  ['plain', undefined],
  ['sealed', passphrase],
])('an archive that is %s', (_, secret) => {
  it('is refused to a caller who goes on after a frame that fails its proof', async () => {
    await write(secret);
    const bytes = readFileSync(file);
    const [first, second] = framesOf(bytes)
      .filter(({ letter }) => letter === 'D')
      .slice(-3, -1);
    // Both frames had the same content, so that one read twice would have the right hash.
    const at = (second?.offset ?? 0) + headBytes;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(file, bytes);
    expect(second?.bytes.length).toBe(first?.bytes.length);
    const reader = await ArchiveReader.open(file, secret);
    const readOn = async () => {
      for await (const { content } of reader.parts()) await countBytes(content).catch(() => undefined);
    };
    await expect(readOn()).rejects.toThrow('coupée ou abîmée');
    await reader.close();
  });

  it('is whole for a caller who does not wait for what they read', async () => {
    await write(secret);
    const reader = await ArchiveReader.open(file, secret);
    const contentsRead: AsyncIterable<Buffer>[] = [];
    for await (const { content } of reader.parts()) {
      void content[Symbol.asyncIterator]().next();
      contentsRead.push(content);
    }
    expect(reader.manifest).toMatchObject(manifest);
    for (const content of contentsRead) expect(await countBytes(content)).toBe(0);
    await reader.close();
  });

  it('returns what was written, and is readable by its owner alone', async () => {
    await write(secret);
    const { seen: hashes, manifest: readManifest } = await read(secret);
    expect([...hashes.keys()]).toEqual([...contents.keys()]);
    for (const [name, bytes] of contents)
      expect(hashes.get(name)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(readManifest).toMatchObject({ ...manifest, parts: { length: contents.size } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('canari')).toBe(secret === undefined);
  });

  it('is refused when truncated anywhere', async () => {
    await write(secret);
    const whole = readFileSync(file);
    const frames = [0, 1, 20, 60, 100, 130, 400, whole.length - 1, whole.length - tagBytes, whole.length - 21 - 16];
    for (const length of [...frames, Math.floor(whole.length / 2)]) {
      writeFileSync(file, whole.subarray(0, length));
      await expect(read(secret)).rejects.toThrow(/coupée|n’est pas une sauvegarde|chiffrée|phrase/);
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.from('more')]));
    await expect(read(secret)).rejects.toThrow('coupée');
  });

  it('is refused when any bit is flipped', async () => {
    await write(secret);
    const whole = readFileSync(file);
    const offsets = [3, 14, 30, 70, 75, 100, 200, 5_000, 700_300, whole.length - 400, whole.length - 3];
    for (const offset of offsets) {
      const flipped = Buffer.from(whole);
      flipped[offset] = (flipped[offset] ?? 0) ^ 1;
      writeFileSync(file, flipped);
      await expect(read(secret)).rejects.toThrow(/abîmée|n’est pas une sauvegarde|plus récente/);
    }
  });
});

it('opens with its own passphrase only, and says so', async () => {
  await write(passphrase);
  await expect(read()).rejects.toThrow('Cette archive est chiffrée');
  await expect(read('une autre phrase secrète')).rejects.toThrow('n’est pas celle de cette archive');
});

describe('a forged archive', () => {
  beforeEach(() => write());
  const forgeries: [string, (frames: RawFrame[]) => RawFrame[]][] = [
    [
      'renames a part',
      (frames) => frames.map((f, offset) => (offset === 0 ? { ...f, bytes: Buffer.from('keys/other') } : f)),
    ],
    [
      'names a path',
      (frames) => frames.map((f, offset) => (offset === 0 ? { ...f, bytes: Buffer.from('keys/../../x') } : f)),
    ],
    ['leaves out a frame of a part', (frames) => frames.filter((_, offset) => offset !== 3)],
    ['repeats a part', (frames) => [...frames.slice(0, 2), ...frames]],
    ['leaves out the manifest', (frames) => frames.filter(({ letter }) => letter !== 'M')],
    ['puts its end before its parts', (frames) => [...frames.slice(-2), ...frames]],
    [
      'claims another size',
      (frames) =>
        frames.map((f) =>
          f.letter === 'M' ? { ...f, bytes: Buffer.from(f.bytes.toString().replace('2600000', '2600001')) } : f,
        ),
    ],
    [
      'puts SQL in the name of a schema',
      (frames) =>
        frames.map((f) =>
          f.letter === 'M' ? { ...f, bytes: Buffer.from(f.bytes.toString().replace('"auth"', '"a; drop"')) } : f,
        ),
    ],
  ];

  it.each(forgeries)('that %s is refused', async (_, alter) => {
    await forge(alter(framesOf(readFileSync(file))));
    await expect(read()).rejects.toThrow('coupée ou abîmée');
  });

  it('is accepted when nothing is changed', async () => {
    await forge(framesOf(readFileSync(file)));
    expect((await read()).seen.size).toBe(contents.size);
  });

  it('that claims a length of gigabytes does not make the reader allocate them', async () => {
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(0xffff_ffff, headerText({ salt: null }).length + 1);
    writeFileSync(file, bytes);
    await expect(read()).rejects.toThrow('coupée ou abîmée');
  });
});

it('leaves no file after a failure, and never overwrites an existing one', async () => {
  await expect(
    writeNewFile(file, async () => {
      throw new Error('no room');
    }),
  ).rejects.toThrow('no room');
  expect(() => statSync(file)).toThrow('ENOENT');
  writeFileSync(file, 'mine');
  await expect(write()).rejects.toThrow('existe déjà');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['mine', ['a']]);
});

it('refuses a plain archive when a passphrase is given', async () => {
  await write();
  await expect(read(passphrase)).rejects.toThrow('n’est pas chiffrée, alors qu’une phrase secrète est donnée');
});
