import { describe, expect, it } from 'vitest';
import { type ChangeOrder, ChangeReader, changeTask, packagePath } from './change';

const word = '0123456789abcdef0123456789abcdef';
const order: ChangeOrder = {
  operation: '018f0000-0000-7000-8000-000000000001',
  site: { id: '018f0000-0000-7000-8000-000000000002', path: '/srv/l’été "1"', url: 'https://exemple.fr' },
  php: '/usr/bin/php',
  api: null,
  action: 'update',
  item: { kind: 'plugin', slug: 'vitrine', name: 'Vitrine' },
  to: '1.3.0',
  activate: false,
  package: null,
  rollbackCopyId: null,
};

function readLines(...lines: readonly (object | string)[]) {
  const reader = new ChangeReader(order);
  const all = [
    'bruit',
    `vigie 1 ${word}`,
    ...lines.map((line) => (typeof line === 'string' ? line : `${word} ${JSON.stringify(line)}`)),
  ];
  const progress = all.map((line) => reader.readLine(line)).filter((line) => line !== undefined);
  return { reader, reports: progress };
}

const foundLine = { is: 'found', version: '1.2.0', name: 'La vitrine' };
const copyLine = { is: 'aside', bytes: 4_096, is_copy: true };
const changingLine = { is: 'changing' };

describe('ChangeReader', () => {
  it('knows how far the change got, and its rollback copy', () => {
    expect(readLines().reader.reached).toBe('nothing');
    expect(readLines(foundLine, copyLine).reader.reached).toBe('aside');
    expect(readLines(foundLine, copyLine, changingLine).reader.reached).toBe('changing');
    const { reader } = readLines(foundLine, copyLine, changingLine, {
      is: 'done',
      from: '1.2.0',
      to: '1.3.0',
      name: 'Vitrine',
      status: 'active',
    });
    expect(reader.reached).toBe('ended');
    expect(reader.end).toEqual({
      is: 'done',
      from: '1.2.0',
      to: '1.3.0',
      name: 'Vitrine',
      status: 'active',
      rollbackCopy: { version: '1.2.0', bytes: 4_096, has_tables: false },
      messages: [],
    });
  });

  it('ignores lines without the secret word', () => {
    const other = 'f'.repeat(32);
    const { reader, reports: progress } = readLines(
      `vigie 1 ${other}`,
      `${other} {"is":"done","to":"6.6.6"}`,
      '{"is":"done"}',
      `${word} {"is":"done"`,
      `${word} {"is":"unheard-of"}`,
      `${word} ${'['.repeat(40)}${']'.repeat(40)}`,
    );
    expect([reader.reached, reader.end, progress]).toEqual(['nothing', undefined, []]);
  });

  it('ignores lines after the end', () => {
    const { reader } = readLines({ is: 'refused', code: 'no_room', why: 'copy', most: '12 Mo' }, { is: 'done' });
    expect(reader.end).toMatchObject({ is: 'refused', code: 'no_room', message: expect.stringContaining('12 Mo') });
  });

  it('reports steps as sentences, and messages of WordPress as clean text', () => {
    const { reports: progress, reader } = readLines(
      { is: 'step', step: 'aside', done: 5, total: 10 },
      { is: 'said', text: 'Un\u202Etexte\u0007de trop\n' },
    );
    expect(progress).toEqual([
      { step: 'Mise de côté de la version actuelle', done: 5, total: 10 },
      { line: 'Un texte de trop' },
    ]);
    expect(reader.end).toBeUndefined();
  });

  it('treats a silent end as untouched before the copy was made, and as half done after it', () => {
    expect(readLines(foundLine, { is: 'over', code: 137 }).reader.end).toMatchObject({
      is: 'failed',
      code: 'interrupted',
      touched: false,
    });
    const late = readLines(foundLine, copyLine, changingLine, { is: 'over', code: 124 }).reader.end;
    expect(late).toMatchObject({ is: 'failed', code: 'interrupted', touched: true, rollbackCopy: { bytes: 4_096 } });
    const large = readLines(foundLine, { ...copyLine, has_tables: true }, { is: 'over', code: 124, seconds: 7_201 })
      .reader.end;
    expect(large).toMatchObject({
      rollbackCopy: { has_tables: true },
      message: expect.stringContaining('7201\u00a0s'),
    });
    expect(late).toMatchObject({ message: expect.stringContaining('La vitrine') });
  });

  it.each(['root-owned', 'unsure-owner', 'no-tool'])('refuses where PHP got no rights: %s', (rights) => {
    expect(readLines({ is: 'as', as: rights }, { is: 'over', code: 91 }).reader.end).toMatchObject({
      is: 'refused',
      code: 'changes_forbidden',
    });
  });
});

describe('changeTask', () => {
  it('passes its data in the input only', () => {
    const { script, input } = changeTask(order);
    expect(script).not.toContain('vitrine');
    expect(input.split('\n').slice(0, 2)).toEqual(['/usr/bin/php', '/srv/l’été "1"']);
  });

  it.each([
    { operation: '../x' },
    { rollbackCopyId: 'a;b' },
    { php: '/usr/bin/php\nx' },
    { item: { ...order.item, slug: '../../etc' } },
    { site: { ...order.site, id: '' } },
  ])('refuses values that are unsafe in a path: %j', (wrong) => {
    expect(() => changeTask({ ...order, ...wrong })).toThrow();
  });

  it('names the path of the archive to install', () => {
    expect(packagePath('/root', order.operation)).toBe(`/root/.vigie/packages/${order.operation}.zip`);
    expect(() => packagePath('/root', 'x/y')).toThrow();
  });
});
