import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import {
  about,
  archive,
  end,
  invalidArchives,
  manyFolders,
  maxEntries,
  archiveWithChecksum,
  part,
  secondEnd,
  checksumOf,
} from '@vigie/testing/invalid-archives';
import { type Outcome, Unpacks } from '@vigie/testing/unpacks';
import { verifyOrCode } from '@vigie/testing/wpress';

const describePhp = onFleet(describe);
const header = 4_377;

const text = 'le phare '.repeat(100);
const entry = { name: 'a.txt', folder: 'uploads', content: text };
const archives = {
  official: archive(entry),
  vigie: archiveWithChecksum(2, part(entry)),
  second: secondEnd(Buffer.concat([about({ SiteURL: 'https://a.test' }), part({ ...entry, crc: checksumOf(text) })])),
};

describePhp('an archive read on its host', () => {
  let unpacks: Unpacks;
  let outcomes: Map<string, Outcome>;
  const verify = (...args: Parameters<Unpacks['verifyBytes']>) => unpacks.verifyBytes(...args);
  beforeAll(() => {
    unpacks = new Unpacks();
    const bytes = invalidArchives.map((lie) => lie.bytes);
    const all = verify(bytes, { most: maxEntries });
    outcomes = new Map(invalidArchives.map(({ how }, n) => [how, all[n] ?? {}]));
  });
  afterAll(() => unpacks?.close());

  it.each(invalidArchives)('is refused for $how', ({ how, code, why }) => {
    expect(outcomes.get(how)).toMatchObject({ code, why });
  });

  it('names the file that is wrong', () => {
    const pathOf = (how: string) => outcomes.get(how)?.path;
    expect(pathOf('a way out')).toBe('../../a');
    expect(pathOf('one name twice')).toBe('a.txt');
    expect(pathOf('a folder that is a file')).toBe('a');
    expect(pathOf('package.json elsewhere')).toBe('a/package.json');
    expect(pathOf('another checksum')).toBe('a.txt');
  });

  it('is refused for too many folders', () => {
    expect(verify([manyFolders()])).toMatchObject([{ code: 'too_many', why: 'folders' }]);
  });

  it('reports its format, its entries and its kind of site', () => {
    const network = archive(
      { name: 'multisite.json' },
      { name: 'database.sql', folder: 'a' },
      { name: 'database.sql' },
    );
    expect(verify([archives.official, archives.vigie, archives.second, network])).toMatchObject([
      { by: 'structure', entries: 2, version: 1, database: null, isNetwork: false },
      { by: 'vigie', entries: 2, version: 1 },
      { by: 'format', entries: 2, version: 2, about: { SiteURL: 'https://a.test' } },
      { by: 'structure', entries: 4, database: 'database.sql', isNetwork: true },
    ]);
  });

  it.each([
    ['encrypted', { Encrypted: true }],
    ['encrypted', { Encrypted: {} }],
    ['compressed', { Compression: { Enabled: '1' } }],
  ])('is refused if it is %s: %j', (code, flags) => {
    expect(verify([Buffer.concat([about(flags), end])])).toMatchObject([{ code }]);
  });

  it('may hold names that differ by case only, unless the disk ignores case', () => {
    const both = archive({ name: 'É.txt' }, { name: 'é.txt' });
    expect(verify([both])).toMatchObject([{ entries: 3 }]);
    expect(verify([both], { isCaseless: true })).toMatchObject([{ code: 'collision', why: 'twice', path: 'É.txt' }]);
    expect(unpacks.foldsCase(['folding://disk', unpacks.folder])).toEqual([true, false]);
  });

  it('is refused if it has other files than Vigie packed', () => {
    const lying = [archiveWithChecksum(3, part(entry)), archiveWithChecksum(2, part(entry), '00000001')];
    expect(verify(lying)).toMatchObject([
      { code: 'damaged', why: 'entries', entries: 2, noted: 3 },
      { code: 'damaged', why: 'vigie' },
    ]);
  });

  it('is no archive if it is a link, a folder, or missing', () => {
    const { folder } = unpacks;
    symlinkSync(unpacks.writeFile('a.wpress', archives.official), join(folder, 'link.wpress'));
    const paths = ['link.wpress', '.', 'nowhere.wpress'].map((path) => join(folder, path));
    expect(unpacks.verify(paths)).toMatchObject([
      { code: 'no_archive', why: 'link' },
      { code: 'no_archive', why: 'special' },
      { code: 'no_archive', why: 'absent' },
    ]);
  });

  const flipped = (whole: Buffer, at: number) => {
    const other = Buffer.from(whole);
    other[at] = (other[at] ?? 0) ^ 1;
    return other;
  };

  it.each(['official', 'vigie', 'second'] as const)(
    'gets the same verdict as in Vigie, wherever it is cut or a bit is flipped: %s',
    async (kind) => {
      const whole = archives[kind];
      const offsets = Array.from({ length: Math.ceil(whole.length / 53) }, (_, n) => n * 53);
      const all = offsets.flatMap((at) => [whole.subarray(0, at), flipped(whole, at)]);
      const onHost = verify(all).map(({ code, by, entries }) => (code === undefined ? { by, entries } : { code }));
      const inVigie = [];
      for (const bytes of all) inVigie.push(await verifyOrCode(bytes));
      expect(onHost).toEqual(inVigie);
    },
  );

  /** Offsets in the last file's header, and from the end of the archive for the closing block. */
  const fields = { name: 0, size: 255, mtime: 269, folder: 281, crc: 4_369, content: header } as const;
  const empty = { afterName: 9, afterSize: 262, afterMtime: 280, afterFolder: 300, afterContent: header + 900 };
  const endFields = { endName: -header, endSize: -4_122, endFolder: -4_000, endSum: -1 };
  // Format 1 has no checksum over these fields, so a change goes unnoticed.
  const free = ['name', 'mtime', 'folder', 'content'];

  it.each([
    ['official', free],
    ['vigie', []],
    ['second', []],
  ] as const)('is refused for a flipped bit in any field: %s', (kind, unnoticed) => {
    const whole = archives[kind];
    const from = whole.length - 2 * header - text.length;
    const offsets = [
      ...Object.entries({ ...fields, ...empty }).map(([field, at]) => [field, from + at] as const),
      ...Object.entries(endFields).map(([field, at]) => [field, whole.length + at] as const),
    ];
    const outcome = verify(offsets.map(([, at]) => flipped(whole, at)));
    expect(offsets.flatMap(([field], n) => (outcome[n]?.code === undefined ? [field] : []))).toEqual(unnoticed);
  });
});
