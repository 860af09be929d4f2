import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { processes } from '@vigie/service-kit/keys';
import { testFolder } from '@vigie/testing/test-folder';
import { kidOf, type Sealed, seal, unseal } from '@vigie/vault/seal';
import { keyFile, writeKeys } from '../start/keys';
import { writeWhole } from '../start/whole-file';
import { type KeyFiles, kidsOf, readKeyFiles } from './rings';
import { rotate } from './rotate';

type Kept = { reader: keyof KeyFiles; sealed: Sealed };

let folder: string;
let old: string[];
let told: string[];
beforeEach(() => {
  folder = join(testFolder('rotate'), 'keys');
  writeKeys(folder);
  old = kidsOf(readKeyFiles(folder));
  told = [];
});

const read = () => readKeyFiles(folder);
const isOver = async () => true;
const log = (line: string) => void told.push(line);
const local = { isCarried: false, isResealed: isOver, log };
const away = { isCarried: true, isResealed: isOver, log };

/** What each process seals for each other one with these files. */
async function sealAll(files: KeyFiles): Promise<Kept[]> {
  const pairs = processes.flatMap((sealer) => processes.map((reader) => ({ sealer, reader })));
  return Promise.all(
    pairs.map(async ({ sealer, reader }) => {
      const [key] = files[sealer].readers[reader];
      if (!key) throw new Error(`${sealer} cannot seal for ${reader}`);
      return { reader, sealed: await seal('secret', key, reader) };
    }),
  );
}

/** How many of these do not open with these files. */
async function countLost(files: KeyFiles, kept: readonly Kept[]): Promise<number> {
  const opened = kept.map(({ reader, sealed }) => unseal(sealed, files[reader].opens, reader));
  return (await Promise.allSettled(opened)).filter(({ status }) => status === 'rejected').length;
}

/** What the services do with what they keep. */
const resealAll = (files: KeyFiles, kept: readonly Kept[]) =>
  Promise.all(
    kept.map(async ({ reader, sealed }) => {
      const [key] = files[reader].readers[reader];
      if (!key) throw new Error(`${reader} cannot seal for itself`);
      return { reader, sealed: await seal(await unseal(sealed, files[reader].opens, reader), key, reader) };
    }),
  );

/** A writer that dies once, instead of writing for the n-th time. */
function dyingAt(n: number) {
  let left = n;
  return (file: string, text: string) => {
    left -= 1;
    if (left === -1) throw new Error('killed');
    writeWhole(file, text);
  };
}

/** Runs it with a writer that takes a picture of all files after each write. */
async function pictures(): Promise<{ before: KeyFiles[]; after: KeyFiles[] }> {
  const taken = { before: [read()], after: [] as KeyFiles[] };
  let isResealed = false;
  const write = (file: string, text: string) => {
    writeWhole(file, text);
    taken[isResealed ? 'after' : 'before'].push(read());
  };
  await rotate({ ...local, folder, write, isResealed: async () => (isResealed = true) });
  return taken;
}

const everyKey = () => kidsOf(read());
const expectRotated = () => {
  expect(everyKey().filter((kid) => old.includes(kid))).toEqual([]);
  expect(new Set(everyKey()).size).toBe(processes.length);
  expect(readdirSync(folder).toSorted()).toEqual(processes.map((name) => `${name}.json`).toSorted());
};

describe('a rotation', () => {
  it('replaces every sealing key, and nothing else', async () => {
    const before = read();
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
    for (const name of processes) {
      const { opens: _, readers: __, ...rest } = before[name];
      expect(read()[name]).toMatchObject(rest);
      expect(statSync(keyFile(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('writes each file three times, all for one step before any for the next', async () => {
    const { before, after } = await pictures();
    const rings = [...before, ...after].map((files) =>
      processes.map((name) => [files[name].opens.length, files[name].readers.gateway.length].join('/')).join(' '),
    );
    expect(rings.filter((state, at) => state !== rings[at - 1])).toEqual([
      '1/1 1/1 1/1 1/1 1/1',
      '2/1 1/1 1/1 1/1 1/1',
      '2/1 2/1 1/1 1/1 1/1',
      '2/1 2/1 2/1 1/1 1/1',
      '2/1 2/1 2/1 2/1 1/1',
      '2/1 2/1 2/1 2/1 2/1',
      '2/2 2/1 2/1 2/1 2/1',
      '2/2 2/2 2/1 2/1 2/1',
      '2/2 2/2 2/2 2/1 2/1',
      '2/2 2/2 2/2 2/2 2/1',
      '2/2 2/2 2/2 2/2 2/2',
      '1/1 2/2 2/2 2/2 2/2',
      '1/1 1/1 2/2 2/2 2/2',
      '1/1 1/1 1/1 2/2 2/2',
      '1/1 1/1 1/1 1/1 2/2',
      '1/1 1/1 1/1 1/1 1/1',
    ]);
  });

  it('lets everybody open, at every moment, what anybody sealed then or before', async () => {
    const { before, after } = await pictures();
    const kept: Kept[] = [];
    for (const files of before) {
      kept.push(...(await sealAll(files)));
      expect(await countLost(files, kept)).toBe(0);
    }
    const resealed = await resealAll(before.at(-1) ?? read(), kept.slice(-25));
    for (const files of after) {
      resealed.push(...(await sealAll(files)));
      expect(await countLost(files, resealed)).toBe(0);
    }
  });

  it('keeps the old keys when something is still sealed with them', async () => {
    expect(await rotate({ ...local, folder, isResealed: async () => false })).toBe(false);
    const [kept] = await sealAll(read());
    expect(kept && old.includes(kidOf(kept.sealed) ?? '')).toBe(false);
    expect(old.filter((kid) => !everyKey().includes(kid))).toEqual([]);
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });

  it('asks with the keys that go, and with files that open both', async () => {
    const asked: string[][] = [];
    const isResealed = async (retired: ReadonlySet<string>, files: KeyFiles) => {
      asked.push([...retired].toSorted());
      return files['auth-svc'].opens.length === 2;
    };
    expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expect(asked).toEqual([[...new Set(old)].toSorted()]);
  });

  it('keeps in its note no private key', async () => {
    await rotate({ ...local, folder, isResealed: async () => false });
    const note = readFileSync(join(folder, 'rotation.json'), 'utf8');
    expect(note).not.toMatch(/"d"|"x"/);
    expect(statSync(join(folder, 'rotation.json')).mode & 0o777).toBe(0o600);
  });
});

describe('an interrupted rotation', () => {
  // The note, each file three times; the last one dies at nothing.
  const writes = 1 + 3 * processes.length;

  it.each(Array.from({ length: writes + 1 }, (_, n) => n))('ends after a kill at write %i', async (n) => {
    let kept = await sealAll(read());
    const isResealed = async (_: unknown, files: KeyFiles) => {
      kept = await resealAll(files, kept);
      return true;
    };
    const killed = rotate({ ...local, folder, isResealed, write: dyingAt(n) });
    if (n < writes) await expect(killed).rejects.toThrow('killed');
    else expect(await killed).toBe(true);
    kept.push(...(await sealAll(read())));
    expect(await countLost(read(), kept)).toBe(0);
    if (n < writes) expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expectRotated();
    expect(await countLost(read(), kept)).toBe(0);
  });

  it('ends after a kill between a file and its place', async () => {
    const write = (file: string, text: string) => {
      writeFileSync(`${file}.part`, text.slice(0, 100));
      if (file.endsWith('dns-svc.json')) throw new Error('killed');
      writeWhole(file, text);
    };
    await expect(rotate({ ...local, folder, write })).rejects.toThrow('killed');
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });

  it('ends though its note was lost', async () => {
    await expect(rotate({ ...local, folder, write: dyingAt(8) })).rejects.toThrow('killed');
    rmSync(join(folder, 'rotation.json'));
    const kept = await sealAll(read());
    await rotate({ ...local, folder, isResealed: async () => false });
    expect(await countLost(read(), kept)).toBe(0);
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });
});

describe('a rotation of files that are carried', () => {
  it('does one step a run, and says what to carry', async () => {
    expect(await rotate({ ...away, folder })).toBe(false);
    expect(told.at(-1)).toContain('Étape 1 sur 3');
    expect(read().gateway).toMatchObject({ opens: [{}, {}], readers: { 'auth-svc': [{}] } });
    expect(await rotate({ ...away, folder })).toBe(false);
    expect(told.at(-1)).toContain('Étape 2 sur 3');
    expect(read().gateway.readers['auth-svc']).toHaveLength(2);
    expect(await rotate({ ...away, folder })).toBe(true);
    expect(told.at(-1)).toContain('Étape 3 sur 3');
    expectRotated();
  });

  // The note, five private keys, what was asked, five public ones, what was asked, five times less.
  const writes = 3 + 3 * processes.length;

  it.each(Array.from({ length: writes }, (_, n) => n))('asks before it goes on, killed at write %i', async (n) => {
    const write = dyingAt(n);
    const isAsked = (step: number) => told.some((line) => line.includes(`Étape ${step}`));
    const dieOrGoOn = (error: Error) => {
      if (error.message !== 'killed') throw error;
      return false;
    };
    for (let isEnded = false; !isEnded; ) {
      isEnded = await rotate({ ...away, folder, write }).catch(dieOrGoOn);
      const files = Object.values(read());
      if (files.some(({ readers }) => !old.includes(readers.gateway[0]?.kid ?? ''))) expect(isAsked(1)).toBe(true);
      if (files.some(({ opens }) => !old.includes(opens.at(-1)?.kid ?? ''))) expect(isAsked(2)).toBe(true);
    }
    expectRotated();
    expect(told.at(-1)).toContain('Étape 3');
  });
});

describe('files that cannot be rotated', () => {
  const cases: [string, () => void, string][] = [
    ['one that is missing', () => rmSync(keyFile(folder, 'dns-svc')), 'les clés de dns-svc'],
    ['half a one', () => writeFileSync(keyFile(folder, 'dns-svc'), '{"ins'), 'Les clés de dns-svc'],
    ['one of another installation', () => foreign(), 'ne vont pas ensemble'],
  ];
  function foreign(): void {
    const other = join(folder, '..', 'other');
    writeKeys(other);
    writeFileSync(keyFile(folder, 'dns-svc'), readFileSync(keyFile(other, 'dns-svc')));
  }

  it.each(cases)('stay as they are: %s', async (_, spoil, sentence) => {
    spoil();
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    await expect(rotate({ ...local, folder })).rejects.toThrow(sentence);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);
  });

  it('are not touched by a second rotation beside the first', async () => {
    let refusal: unknown;
    const isResealed = async () => {
      refusal = await rotate({ ...local, folder }).catch((error: unknown) => error);
      return true;
    };
    expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expect(String(refusal)).toContain('Une autre rotation est en cours');
  });
});
