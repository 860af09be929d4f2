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

type SealedFor = { reader: keyof KeyFiles; sealed: Sealed };

let folder: string;
let oldKeyIds: string[];
let logLines: string[];
beforeEach(() => {
  folder = join(testFolder('rotate'), 'keys');
  writeKeys(folder);
  oldKeyIds = kidsOf(readKeyFiles(folder));
  logLines = [];
});

const read = () => readKeyFiles(folder);
const alwaysResealed = async () => true;
const log = (line: string) => void logLines.push(line);
const local = { isCopied: false, isResealed: alwaysResealed, log };
const copied = { isCopied: true, isResealed: alwaysResealed, log };

/** Seals one value for each pair of processes with these files. */
async function sealAll(files: KeyFiles): Promise<SealedFor[]> {
  const pairs = processes.flatMap((sealer) => processes.map((reader) => ({ sealer, reader })));
  return Promise.all(
    pairs.map(async ({ sealer, reader }) => {
      const [key] = files[sealer].readers[reader];
      if (!key) throw new Error(`${sealer} cannot seal for ${reader}`);
      return { reader, sealed: await seal('secret', key, reader) };
    }),
  );
}

/** Counts the values that do not open with these files. */
async function countLost(files: KeyFiles, sealedValues: readonly SealedFor[]): Promise<number> {
  const attempts = sealedValues.map(({ reader, sealed }) => unseal(sealed, files[reader].opens, reader));
  return (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected').length;
}

/** Reseals all values, as the services do. */
const resealAll = (files: KeyFiles, sealedValues: readonly SealedFor[]) =>
  Promise.all(
    sealedValues.map(async ({ reader, sealed }) => {
      const [key] = files[reader].readers[reader];
      if (!key) throw new Error(`${reader} cannot seal for itself`);
      return { reader, sealed: await seal(await unseal(sealed, files[reader].opens, reader), key, reader) };
    }),
  );

/** A writer that fails once, instead of its n-th write. */
function writerFailingAt(n: number) {
  let remaining = n;
  return (file: string, text: string) => {
    remaining -= 1;
    if (remaining === -1) throw new Error('killed');
    writeWhole(file, text);
  };
}

/** Runs a rotation and records all files after each write. */
async function recordStates(): Promise<{ before: KeyFiles[]; after: KeyFiles[] }> {
  const states = { before: [read()], after: [] as KeyFiles[] };
  let isResealed = false;
  const write = (file: string, text: string) => {
    writeWhole(file, text);
    states[isResealed ? 'after' : 'before'].push(read());
  };
  await rotate({ ...local, folder, write, isResealed: async () => (isResealed = true) });
  return states;
}

const keyIds = () => kidsOf(read());
const expectRotated = () => {
  expect(keyIds().filter((kid) => oldKeyIds.includes(kid))).toEqual([]);
  expect(new Set(keyIds()).size).toBe(processes.length);
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
    const { before, after } = await recordStates();
    const rings = [...before, ...after].map((files) =>
      processes.map((name) => [files[name].opens.length, files[name].readers.gateway.length].join('/')).join(' '),
    );
    expect(rings.filter((state, index) => state !== rings[index - 1])).toEqual([
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

  it('lets every process open, at every moment, the values that were sealed until then', async () => {
    const { before, after } = await recordStates();
    const sealedValues: SealedFor[] = [];
    for (const files of before) {
      sealedValues.push(...(await sealAll(files)));
      expect(await countLost(files, sealedValues)).toBe(0);
    }
    const resealed = await resealAll(before.at(-1) ?? read(), sealedValues.slice(-25));
    for (const files of after) {
      resealed.push(...(await sealAll(files)));
      expect(await countLost(files, resealed)).toBe(0);
    }
  });

  it('keeps the old keys when something is still sealed with them', async () => {
    expect(await rotate({ ...local, folder, isResealed: async () => false })).toBe(false);
    const [sealedValues] = await sealAll(read());
    expect(sealedValues && oldKeyIds.includes(kidOf(sealedValues.sealed) ?? '')).toBe(false);
    expect(oldKeyIds.filter((kid) => !keyIds().includes(kid))).toEqual([]);
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });

  it('checks for resealed values with the retired keys, and with files that open both', async () => {
    const retiredKeys: string[][] = [];
    const isResealed = async (retired: ReadonlySet<string>, files: KeyFiles) => {
      retiredKeys.push([...retired].toSorted());
      return files['auth-svc'].opens.length === 2;
    };
    expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expect(retiredKeys).toEqual([[...new Set(oldKeyIds)].toSorted()]);
  });

  it('writes no private key into its note', async () => {
    await rotate({ ...local, folder, isResealed: async () => false });
    const note = readFileSync(join(folder, 'rotation.json'), 'utf8');
    expect(note).not.toMatch(/"d"|"x"/);
    expect(statSync(join(folder, 'rotation.json')).mode & 0o777).toBe(0o600);
  });
});

describe('an interrupted rotation', () => {
  // The note, then each file three times; the last case is not killed.
  const writes = 1 + 3 * processes.length;

  it.each(Array.from({ length: writes + 1 }, (_, n) => n))('ends after a kill at write %i', async (n) => {
    let sealedValues = await sealAll(read());
    const isResealed = async (_: unknown, files: KeyFiles) => {
      sealedValues = await resealAll(files, sealedValues);
      return true;
    };
    const killed = rotate({ ...local, folder, isResealed, write: writerFailingAt(n) });
    if (n < writes) await expect(killed).rejects.toThrow('killed');
    else expect(await killed).toBe(true);
    sealedValues.push(...(await sealAll(read())));
    expect(await countLost(read(), sealedValues)).toBe(0);
    if (n < writes) expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expectRotated();
    expect(await countLost(read(), sealedValues)).toBe(0);
  });

  it('ends after a kill before the rename of a file', async () => {
    const write = (file: string, text: string) => {
      writeFileSync(`${file}.part`, text.slice(0, 100));
      if (file.endsWith('dns-svc.json')) throw new Error('killed');
      writeWhole(file, text);
    };
    await expect(rotate({ ...local, folder, write })).rejects.toThrow('killed');
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });

  it('ends even though its note was lost', async () => {
    await expect(rotate({ ...local, folder, write: writerFailingAt(8) })).rejects.toThrow('killed');
    rmSync(join(folder, 'rotation.json'));
    const sealedValues = await sealAll(read());
    await rotate({ ...local, folder, isResealed: async () => false });
    expect(await countLost(read(), sealedValues)).toBe(0);
    expect(await rotate({ ...local, folder })).toBe(true);
    expectRotated();
  });
});

describe('a rotation of copied files', () => {
  it('takes one step per run, and says which files to copy', async () => {
    expect(await rotate({ ...copied, folder })).toBe(false);
    expect(logLines.at(-1)).toContain('Étape 1 sur 3');
    expect(read().gateway).toMatchObject({ opens: [{}, {}], readers: { 'auth-svc': [{}] } });
    expect(await rotate({ ...copied, folder })).toBe(false);
    expect(logLines.at(-1)).toContain('Étape 2 sur 3');
    expect(read().gateway.readers['auth-svc']).toHaveLength(2);
    expect(await rotate({ ...copied, folder })).toBe(true);
    expect(logLines.at(-1)).toContain('Étape 3 sur 3');
    expectRotated();
  });

  // The note, five new private keys, the note, five new public keys, the note, five removals.
  const writes = 3 + 3 * processes.length;

  it.each(Array.from({ length: writes }, (_, n) => n))('asks before each step after a kill at write %i', async (n) => {
    const write = writerFailingAt(n);
    const isStepPrinted = (step: number) => logLines.some((line) => line.includes(`Étape ${step}`));
    const ignoreKill = (error: Error) => {
      if (error.message !== 'killed') throw error;
      return false;
    };
    for (let isEnded = false; !isEnded; ) {
      isEnded = await rotate({ ...copied, folder, write }).catch(ignoreKill);
      const files = Object.values(read());
      if (files.some(({ readers }) => !oldKeyIds.includes(readers.gateway[0]?.kid ?? '')))
        expect(isStepPrinted(1)).toBe(true);
      if (files.some(({ opens }) => !oldKeyIds.includes(opens.at(-1)?.kid ?? ''))) expect(isStepPrinted(2)).toBe(true);
    }
    expectRotated();
    expect(logLines.at(-1)).toContain('Étape 3');
  });
});

describe('files that cannot be rotated', () => {
  const cases: [string, () => void, string][] = [
    ['a missing one', () => rmSync(keyFile(folder, 'dns-svc')), 'les clés de dns-svc'],
    ['a truncated one', () => writeFileSync(keyFile(folder, 'dns-svc'), '{"ins'), 'Les clés de dns-svc'],
    ['one of another installation', () => replaceByForeignFile(), 'ne vont pas ensemble'],
  ];
  function replaceByForeignFile(): void {
    const other = join(folder, '..', 'other');
    writeKeys(other);
    writeFileSync(keyFile(folder, 'dns-svc'), readFileSync(keyFile(other, 'dns-svc')));
  }

  it.each(cases)('are not changed: %s', async (_, spoil, sentence) => {
    spoil();
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    await expect(rotate({ ...local, folder })).rejects.toThrow(sentence);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);
  });

  it('are not changed by a second rotation while the first runs', async () => {
    let refusal: unknown;
    const isResealed = async () => {
      refusal = await rotate({ ...local, folder }).catch((error: unknown) => error);
      return true;
    };
    expect(await rotate({ ...local, folder, isResealed })).toBe(true);
    expect(String(refusal)).toContain('Une autre rotation est en cours');
  });
});
