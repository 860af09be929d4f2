import { describe, expect, it } from 'vitest';
import { deletePart, type PackOrder, PackReader, packTask } from './pack';

const operation = '01234567-89ab-4cde-8f01-23456789abcd';
const word = 'a1'.repeat(16);
const order: PackOrder = {
  operation,
  site: { path: '/srv/l’été', url: 'http://a.test' },
  php: '/usr/bin/php',
  name: 'a-test-20260101-000000-abcdefghijkl.wpress',
  format: 1,
  without: { cache: true },
};

function read(...lines: (object | string)[]) {
  const reader = new PackReader();
  const progress = [`vigie 1 ${word}`, ...lines].map((line) =>
    reader.readLine(typeof line === 'string' ? line : `${word} ${JSON.stringify(line)}`),
  );
  return { reader, progress: progress.filter((one) => one !== undefined) };
}

describe('PackReader', () => {
  it('reads the progress among other output of the site', () => {
    const done = {
      is: 'done',
      name: 'a.wpress',
      folder: '/srv/a/ai1wm-backups',
      size: 9_000,
      entries: 3,
      tables: 12,
      rows: 40,
      longest: 900,
      missed: 1,
      examples: ['uploads/\u202eé\u0007'],
      memory: 8_388_608,
    };
    const { reader, progress } = read(
      'PHP Warning: {"is":"done"}',
      { is: 'step', step: 'files', done: 5, total: 9 },
      `${'0'.repeat(32)} ${JSON.stringify(done)}`,
      { is: 'step', step: 'nothing', done: -1 },
      { is: 'part', path: '/srv/a/ai1wm-backups/.vigie-x.part' },
      done,
      { is: 'failed', code: 'died' },
    );
    expect(progress).toEqual([{ step: 'files', done: 5, total: 9 }]);
    expect(reader.end).toEqual({ ...done, examples: ['uploads/ é'] });
  });

  it.each([
    [
      { is: 'refused', code: 'no_room', why: 'before', needed: 2_000 * 1_048_576, free: 1_048_576 },
      /2000,0\u00a0Mo.*1,0\u00a0Mo/,
    ],
    [{ is: 'failed', code: 'no_room', why: 'write' }, /s’est rempli/],
    [{ is: 'refused', code: 'not_writable', why: 'folder', path: '/srv/a\n' }, /d’écrire dans \/srv\/a\./],
    [{ is: 'refused', code: 'sqlite' }, /SQLite/],
    [{ is: 'refused', code: 'database', why: 'connect', words: 'Access denied' }, /«\u00a0Access denied\u00a0»/],
    [{ is: 'failed', code: 'database', why: 'altered', path: 'wp_posts' }, /wp_posts a été modifiée/],
    [{ is: 'failed', code: 'of a newer release', why: 'x' }, /s’est arrêtée avant sa fin/],
  ] as const)('turns a failure into a sentence: %j', (line, sentence) => {
    const { end } = read(line).reader;
    expect(end).toMatchObject({
      is: line.is,
      message: expect.stringMatching(sentence),
      remedy: expect.stringMatching(/\.$/),
    });
  });

  it.each([
    [['as', 'root-owned'], 91, 'refused', 'owner'],
    [['as', 'no-wordpress'], 93, 'refused', 'absent'],
    [['as', 'owner'], 127, 'refused', 'no_php'],
    [['part', '/a'], 124, 'failed', 'late'],
    [['part', '/a'], 255, 'failed', 'died'],
  ] as const)('explains a silent end by its exit code: %j %i', ([kind, value], code, end, reason) => {
    const first = kind === 'as' ? { is: kind, as: value } : { is: kind, path: value };
    expect(read(first, { is: 'over', code }).reader.end).toMatchObject({ is: end, code: reason });
  });
});

describe('packTask', () => {
  it('passes its data in the input only', () => {
    const { script, input } = packTask(order);
    expect(script).not.toContain('été');
    expect(input.split('\n').slice(0, 3)).toEqual(['/usr/bin/php', '/srv/l’été', '21600']);
  });

  it.each([
    { name: '../a.wpress' },
    { name: '.a.wpress' },
    { name: '-a.wpress' },
    { name: 'a.php' },
    { name: `${'a'.repeat(200)}.wpress` },
    { operation: 'a' },
    { php: '/usr/bin/php\n/bin/sh' },
    { site: { path: '/srv/a\nb', url: '' } },
  ])('refuses unsafe values: %j', (wrong) => {
    expect(() => packTask({ ...order, ...wrong })).toThrow();
  });

  it.each([
    '/etc/passwd',
    `/srv/a/.vigie-${operation}.part`,
    `a/ai1wm-backups/.vigie-${operation}.part`,
    `/srv/a/ai1wm-backups/.vigie-${operation}.part\n`,
    `/srv/a/ai1wm-backups/.vigie-${operation.replace('0', '1')}.part`,
  ])('dropPart deletes no other file: %j', async (part) => {
    const run = () => Promise.reject(new Error('it was run'));
    await expect(deletePart({ run }, operation, part)).resolves.toBeUndefined();
  });
});
