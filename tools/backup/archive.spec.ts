import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { headBytes, type Letter, tagBytes } from './format';
import { guardOf, headerText } from './guard';
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
  for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
}

const write = (secret?: string) =>
  writeNewFile(file, async (handle) => {
    const writer = await ArchiveWriter.begin(handle, secret);
    for (const [name, bytes] of contents) await writer.part(name, inPieces(bytes));
    await writer.end(manifest);
  });

async function read(secret?: string) {
  const reader = await ArchiveReader.open(file, secret);
  try {
    const seen = new Map<string, string>();
    for await (const { name, content } of reader.parts()) {
      const hash = createHash('sha256');
      for await (const bytes of content) hash.update(bytes);
      seen.set(name, hash.digest('hex'));
    }
    return { seen, manifest: reader.manifest };
  } finally {
    await reader.close();
  }
}

type Raw = { letter: Letter; bytes: Buffer };

/** Where each frame of a plain archive is, and what it holds. */
function framesOf(bytes: Buffer) {
  const frames: (Raw & { at: number })[] = [];
  for (let at = headerText({ salt: null }).length; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at + 1);
    const from = at + headBytes;
    frames.push({
      letter: bytes.toString('latin1', at, at + 1) as Letter,
      bytes: bytes.subarray(from, from + length),
      at,
    });
    at = from + length + tagBytes;
  }
  return frames;
}

/** An archive of these frames, as a liar makes it who knows the format. */
async function forge(frames: readonly Raw[]): Promise<void> {
  const guard = await guardOf({ salt: null }, undefined);
  const sealed = frames.flatMap(({ letter, bytes }) => {
    const head = Buffer.alloc(headBytes);
    head.write(letter, 0, 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    const { body, tag } = guard.seal(head, bytes);
    return [head, body, tag];
  });
  writeFileSync(file, Buffer.concat([Buffer.from(headerText({ salt: null })), ...sealed]));
}

describe.each([
  ['plain', undefined],
  ['sealed', passphrase],
])('an archive that is %s', (_, secret) => {
  it('gives back what was written, for its owner alone', async () => {
    await write(secret);
    const { seen, manifest: found } = await read(secret);
    expect([...seen.keys()]).toEqual([...contents.keys()]);
    for (const [name, bytes] of contents) expect(seen.get(name)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(found).toMatchObject({ ...manifest, parts: { length: contents.size } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('canari')).toBe(secret === undefined);
  });

  it('is refused wherever it is cut', async () => {
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

  it('is refused wherever a bit of it is another', async () => {
    await write(secret);
    const whole = readFileSync(file);
    const places = [3, 14, 30, 70, 75, 100, 200, 5_000, 700_300, whole.length - 400, whole.length - 3];
    for (const place of places) {
      const flipped = Buffer.from(whole);
      flipped[place] = (flipped[place] ?? 0) ^ 1;
      writeFileSync(file, flipped);
      await expect(read(secret)).rejects.toThrow(/abîmée|n’est pas une sauvegarde|plus récente/);
    }
  });
});

it('opens by its own passphrase only, and says so', async () => {
  await write(passphrase);
  await expect(read()).rejects.toThrow('Cette archive est chiffrée');
  await expect(read('une autre phrase secrète')).rejects.toThrow('n’est pas celle de cette archive');
});

describe('a liar', () => {
  beforeEach(() => write());
  const lies: [string, (frames: Raw[]) => Raw[]][] = [
    [
      'names a part otherwise',
      (all) => all.map((f, at) => (at === 0 ? { ...f, bytes: Buffer.from('keys/other') } : f)),
    ],
    ['names a path', (all) => all.map((f, at) => (at === 0 ? { ...f, bytes: Buffer.from('keys/../../x') } : f))],
    ['leaves out a frame of a part', (all) => all.filter((_, at) => at !== 3)],
    ['gives a part twice', (all) => [...all.slice(0, 2), ...all]],
    ['leaves out the manifest', (all) => all.filter(({ letter }) => letter !== 'M')],
    ['says that the end is before the parts', (all) => [...all.slice(-2), ...all]],
    [
      'claims another size',
      (all) =>
        all.map((f) =>
          f.letter === 'M' ? { ...f, bytes: Buffer.from(f.bytes.toString().replace('2600000', '2600001')) } : f,
        ),
    ],
    [
      'names a schema that is SQL',
      (all) =>
        all.map((f) =>
          f.letter === 'M' ? { ...f, bytes: Buffer.from(f.bytes.toString().replace('"auth"', '"a; drop"')) } : f,
        ),
    ],
  ];

  it.each(lies)('who %s is refused', async (_, lie) => {
    await forge(lie(framesOf(readFileSync(file))));
    await expect(read()).rejects.toThrow('coupée ou abîmée');
  });

  it('would be believed who says nothing else', async () => {
    await forge(framesOf(readFileSync(file)));
    expect((await read()).seen.size).toBe(contents.size);
  });

  it('who claims a length of gigabytes makes nobody reserve them', async () => {
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(0xffff_ffff, headerText({ salt: null }).length + 1);
    writeFileSync(file, bytes);
    await expect(read()).rejects.toThrow('coupée ou abîmée');
  });
});

it('leaves nothing where it could not be ended, and never takes the place of another', async () => {
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

it('that is not sealed is not taken from whoever has a passphrase for it', async () => {
  await write();
  await expect(read(passphrase)).rejects.toThrow('n’est pas chiffrée, alors qu’une phrase secrète est donnée');
});
