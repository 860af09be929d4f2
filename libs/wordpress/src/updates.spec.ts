import { describe, expect, it } from 'vitest';
import { type UpdatesOrder, UpdatesReader, updatesTask } from './updates';

const word = '0123456789abcdef0123456789abcdef';
const [vitrine, formulaire, phare] = ['1', '2', '3'].map((digit) => `018f0000-0000-7000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];
const order: UpdatesOrder = {
  operation: '018f0000-0000-7000-8000-000000000009',
  site: { id: '018f0000-0000-7000-8000-000000000008', path: '/srv/l’été "1"', url: 'https://exemple.fr' },
  php: '/usr/bin/php',
  api: null,
  items: [
    { operation: vitrine, item: { kind: 'plugin', slug: 'vitrine', name: 'Vitrine' }, to: '1.3.0' },
    { operation: formulaire, item: { kind: 'plugin', slug: 'formulaire', name: 'Formulaire' }, to: null },
    { operation: phare, item: { kind: 'theme', slug: 'phare', name: 'Phare' }, to: '1.1' },
  ],
};

function readLines(...lines: readonly (object | string)[]) {
  const reader = new UpdatesReader(order);
  const all = [
    `vigie 1 ${word}`,
    ...lines.map((line) => (typeof line === 'string' ? line : `${word} ${JSON.stringify(line)}`)),
  ];
  const progress = all.map((line) => reader.readLine(line)).filter((line) => line !== undefined);
  return { reader, progress, ends: Object.fromEntries([...reader.ends].map(([id, { is }]) => [id, is])) };
}

const found = (of: string) => ({ is: 'found', version: '1.0', name: 'Nom lu', starts: true, of });
const copied = (of: string) => ({ is: 'aside', bytes: 4_096, is_copy: true, of });
const done = (of: string) => ({ is: 'done', from: '1.0', to: '1.1', status: 'active', of });
const prepared = [vitrine, formulaire, phare].flatMap((of) => [found(of), copied(of)]);
const changing = { is: 'changing' };

describe('UpdatesReader', () => {
  it('knows how far the operation got, and the end of each item', () => {
    expect(readLines(found(vitrine)).reader.reached).toBe('nothing');
    expect(readLines(...prepared).reader.reached).toBe('aside');
    expect(readLines(...prepared, changing, done(vitrine)).reader.reached).toBe('changing');
    const refused = { is: 'refused', code: 'licence_required', of: formulaire };
    const { reader, ends } = readLines(...prepared, changing, done(vitrine), refused, done(phare));
    expect([reader.reached, reader.starts, reader.isApart]).toEqual(['ended', true, false]);
    expect(ends).toEqual({ [vitrine]: 'done', [formulaire]: 'refused', [phare]: 'done' });
    expect(reader.ends.get(vitrine)).toMatchObject({ name: 'Nom lu', rollbackCopy: { version: '1.0', bytes: 4_096 } });
    expect(reader.ends.get(formulaire)).toMatchObject({ message: expect.stringContaining('Nom lu') });
  });

  it('says which item a step or message is about', () => {
    const { progress, reader } = readLines(
      { is: 'step', step: 'checks' },
      { is: 'said', text: 'Bonjour', of: formulaire },
      { is: 'step', step: 'change', of: 'ffffffff-0000-7000-8000-000000000001' },
      done(formulaire),
    );
    expect(progress).toEqual([
      { operation: null, progress: { step: 'Vérifications', done: null, total: null } },
      { operation: formulaire, progress: { line: 'Bonjour' } },
    ]);
    expect(reader.ends.get(formulaire)).toMatchObject({ messages: ['Bonjour'] });
  });

  it('reports where the logs end', () => {
    const places = [{ path: '/srv/debug.log', size: 3, inode: 4, shared: false }];
    expect(readLines({ is: 'logs', places }).reader.logs).toEqual(places);
  });

  it('gives every item without an end a refusal that concerns all', () => {
    const absent = { is: 'refused', code: 'refused_by_wordpress', why: 'absent', of: phare };
    const { reader, ends } = readLines(absent, { is: 'refused', code: 'wordpress_busy', why: 'lock' });
    expect([reader.reached, ends[vitrine], ends[formulaire]]).toEqual(['ended', 'refused', 'refused']);
    expect(reader.ends.get(vitrine)).toMatchObject({ code: 'wordpress_busy' });
    expect(reader.ends.get(phare)).toMatchObject({ code: 'refused_by_wordpress' });
  });

  it('gives no end to the items behind one that failed', () => {
    const failed = { is: 'failed', code: 'failed', why: 'words', words: 'Non', of: formulaire };
    const { reader, ends } = readLines(...prepared, changing, done(vitrine), failed, done(phare));
    expect([reader.reached, ends]).toEqual(['ended', { [vitrine]: 'done', [formulaire]: 'failed' }]);
  });

  it('gives the end of a process that reported none to the item that it was updating', () => {
    const over = { is: 'over', code: 137, seconds: 720 };
    const first = readLines(...prepared, changing, over);
    expect([first.reader.reached, first.ends]).toEqual(['ended', { [vitrine]: 'failed' }]);
    const step = { is: 'step', step: 'change', of: formulaire };
    const second = readLines(...prepared, changing, done(vitrine), step, over);
    expect(second.ends).toEqual({ [vitrine]: 'done', [formulaire]: 'failed' });
    expect(second.reader.ends.get(formulaire)).toMatchObject({ code: 'interrupted', touched: true });
    expect(readLines(...prepared, changing, done(vitrine), over).ends).toMatchObject({ [formulaire]: 'failed' });
  });

  it('knows when the items must be updated one by one, and when the operation ended without some of them', () => {
    const apart = readLines(...prepared, { is: 'apart' }, { is: 'ended' });
    expect([apart.reader.isApart, apart.reader.reached, apart.ends]).toEqual([true, 'ended', {}]);
    const ended = readLines({ is: 'refused', code: 'refused_by_wordpress', of: vitrine }, { is: 'ended' });
    expect([ended.reader.isApart, ended.reader.reached, ended.ends]).toEqual([
      false,
      'ended',
      { [vitrine]: 'refused' },
    ]);
  });

  it('ignores lines without the secret word', () => {
    const other = 'f'.repeat(32);
    const { reader } = readLines(`vigie 1 ${other}`, `${other} {"is":"apart"}`, '{"is":"ended"}');
    expect([reader.reached, reader.isApart]).toEqual(['nothing', false]);
  });
});

describe('updatesTask', () => {
  it('passes its data in the input only, with a minute more for each further item', () => {
    const { script, input } = updatesTask(order);
    expect(script).not.toContain('formulaire');
    expect(input.split('\n').slice(0, 3)).toEqual(['/usr/bin/php', '/srv/l’été "1"', '720']);
    expect(updatesTask({ ...order, seconds: 5 }).input.split('\n')[2]).toBe('5');
  });

  const [first, second] = order.items as [UpdatesOrder['items'][number], UpdatesOrder['items'][number]];
  it.each([
    { operation: '../x' },
    { php: '/usr/bin/php\nx' },
    { site: { ...order.site, id: '' } },
    { items: [{ ...first, operation: 'a;b' }] },
    { items: [{ ...first, item: { ...first.item, slug: '../../etc' } }] },
    { items: [first, { ...second, operation: first.operation }] },
    { items: [first, { ...second, item: first.item }] },
  ])('refuses values that are unsafe in a path, and an item twice: %j', (wrong) => {
    expect(() => updatesTask({ ...order, ...wrong })).toThrow();
  });
});
