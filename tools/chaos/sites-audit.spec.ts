import { describe, expect, it } from 'vitest';
import { core, doneTwice, Expected, overlaps, type SiteState, type SiteTold } from './sites-audit';

const state = (versions: Record<string, string>, active: readonly string[] = []): SiteState => ({
  versions: new Map(Object.entries(versions)),
  active: new Set(active),
});
const told = (id: string, kind: string, more: Partial<SiteTold> = {}): SiteTold => ({
  id,
  kind,
  state: 'succeeded',
  item: 'vitrine',
  input: {},
  result: {},
  code: null,
  ...more,
});
const updated = (id: string, from: string, to: string) =>
  told(id, 'changes.update', { result: { from, to, status: 'active' } });
const first = state({ vitrine: '1.2.0' }, ['vitrine']);

function judge(all: readonly SiteTold[], there: SiteState, before = first) {
  const expected = new Expected(before);
  for (const one of all) expected.tell(one);
  return expected.compare(there).map(({ what, id }) => [what, id.split(' ')[0]]);
}

describe('what a site must be', () => {
  it('is what was said of it, archives put back among it', () => {
    const all = [
      told('1', 'backups.create', { result: { filename: 'a.wpress' } }),
      updated('2', '1.2.0', '1.3.0'),
      told('3', 'changes.deactivate', { result: { from: '1.3.0', to: '1.3.0', status: 'inactive' } }),
      told('4', 'backups.restore', { input: { filename: 'a.wpress' }, result: { safety: { filename: 's.wpress' } } }),
      told('5', 'changes.update', { state: 'failed' }),
    ];
    expect(judge(all, first)).toEqual([]);
    const undone = told('6', 'backups.restore', { input: { filename: 's.wpress' }, result: { safety: {} } });
    expect(judge([...all, undone], state({ vitrine: '1.3.0' }))).toEqual([]);
  });

  it('has the plugins active that were so when WordPress was updated, once that is taken back', () => {
    const before = state({ vitrine: '1.2.0', [core]: '6.1' }, ['vitrine', core]);
    const all = [
      told('1', 'changes.update', { item: core, result: { from: '6.1', to: '6.2', status: 'active' } }),
      told('2', 'changes.deactivate', { result: { from: '1.2.0', to: '1.2.0', status: 'inactive' } }),
      told('3', 'changes.restore', { item: core, result: { from: '6.2', to: '6.1', status: 'active' } }),
    ];
    expect(judge(all, before, before)).toEqual([]);
    expect(judge(all.slice(0, 2), before, before)).toHaveLength(2);
    const again = told('4', 'changes.restore', { item: core, result: { from: '6.1', to: '6.2', status: 'active' } });
    expect(judge([...all, again], state({ vitrine: '1.2.0', [core]: '6.2' }, [core]), before)).toEqual([]);
  });

  it('is another WordPress whatever archive is put back', () => {
    const all = [
      told('1', 'backups.create', { result: { filename: 'a.wpress' } }),
      told('2', 'changes.update', { item: core, result: { from: '6.1', to: '6.2', status: 'active' } }),
      told('3', 'backups.restore', { input: { filename: 'a.wpress' }, result: { safety: {} } }),
    ];
    const before = state({ vitrine: '1.2.0', [core]: '6.1' }, ['vitrine', core]);
    expect(judge(all, state({ vitrine: '1.2.0', [core]: '6.2' }, ['vitrine', core]), before)).toEqual([]);
    expect(judge(all, before, before)).toEqual([['dit réussi, sans son effet', '2']]);
  });

  it.each<[string, SiteTold, SiteState]>([
    ['dit réussi, sans son effet', updated('1', '1.2.0', '1.3.0'), first],
    ['dit réussi, sans son effet', told('1', 'changes.activate'), state({ vitrine: '1.2.0' })],
    [
      'dit échoué, mais fait',
      told('1', 'changes.update', { state: 'failed' }),
      state({ vitrine: '1.3.0' }, ['vitrine']),
    ],
    ['dit échoué, mais fait', told('1', 'changes.install', { state: 'failed' }), state({ vitrine: '1.2.0' })],
  ])('was %s', (what, one, there) => {
    expect(judge([one], there)).toEqual([[what, '1']]);
  });

  it('is told by what comes next too', () => {
    const all = [told('1', 'changes.update', { state: 'failed' }), updated('2', '1.3.0', '1.4.0')];
    expect(judge(all, state({ vitrine: '1.4.0' }, ['vitrine']))).toEqual([['dit échoué, mais fait', '1']]);
  });

  it.each<Partial<SiteTold>>([{ state: 'unknown' }, { state: 'failed', code: 'not_rolled_back' }])(
    'may be anything where the ledger does not know: %j',
    (more) => {
      expect(judge([told('1', 'changes.update', more)], state({}))).toEqual([]);
      const next = [told('1', 'changes.update', more), updated('2', '9', '1.3.0')];
      expect(judge(next, first)).toEqual([['dit réussi, sans son effet', '2']]);
    },
  );
});

it('sees what ran at the same time in one folder, and not in two, nor one after the other', () => {
  const [one, other] = [
    { id: 'a', lock: '/x', begin: 10, end: 20 },
    { id: 'b', lock: '/x', begin: 19, end: 30 },
  ];
  expect(overlaps([other, one]).map(({ id }) => id)).toEqual(['a b']);
  expect(overlaps([one, { ...other, lock: '/y' }])).toEqual([]);
  expect(overlaps([one, { ...other, begin: 20 }])).toEqual([]);
});

it('sees what WordPress did twice in the time of one job', () => {
  const window = { id: 'a', item: 'vitrine', from: 10, to: 20 };
  const deeds = [11, 19].map((at) => ({ item: 'vitrine', at }));
  expect(doneTwice([window], deeds).map(({ id }) => id)).toEqual(['a']);
  expect(doneTwice([{ ...window, to: 15 }], deeds)).toEqual([]);
  // By a moment later than its end, as clocks are read.
  expect(doneTwice([{ ...window, to: 18.5 }], deeds).map(({ id }) => id)).toEqual(['a']);
});

it('does not take what the next job did at once for a second deed of the one before', () => {
  const [one, next] = [
    { id: 'a', item: 'vitrine', from: 10, to: 18.5 },
    { id: 'b', item: 'vitrine', from: 18.6, to: 30 },
  ];
  const deeds = [11, 19].map((at) => ({ item: 'vitrine', at }));
  expect(doneTwice([one, next], deeds)).toEqual([]);
  expect(doneTwice([one, next], [...deeds, { item: 'vitrine', at: 20 }]).map(({ id }) => id)).toEqual(['b']);
});
