import { describe, expect, it } from 'vitest';
import {
  core,
  findRepeatedActions,
  ExpectedSite,
  findOverlappingOperations,
  type SiteState,
  type SiteJob,
} from './sites-audit';

const state = (versions: Record<string, string>, active: readonly string[] = []): SiteState => ({
  versions: new Map(Object.entries(versions)),
  active: new Set(active),
});
const aJob = (id: string, kind: string, fields: Partial<SiteJob> = {}): SiteJob => ({
  id,
  kind,
  state: 'succeeded',
  item: 'vitrine',
  input: {},
  result: {},
  code: null,
  ...fields,
});
const anUpdate = (id: string, from: string, to: string) =>
  aJob(id, 'changes.update', { result: { from, to, status: 'active' } });
const first = state({ vitrine: '1.2.0' }, ['vitrine']);

function judge(jobs: readonly SiteJob[], actual: SiteState, initial = first) {
  const expected = new ExpectedSite(initial);
  for (const job of jobs) expected.apply(job);
  return expected.compare(actual).map(({ kind, id }) => [kind, id.split(' ')[0]]);
}

describe('the expected state of a site', () => {
  it('follows reported changes, backups and restores', () => {
    const jobs = [
      aJob('1', 'backups.create', { result: { filename: 'a.wpress' } }),
      anUpdate('2', '1.2.0', '1.3.0'),
      aJob('3', 'changes.deactivate', { result: { from: '1.3.0', to: '1.3.0', status: 'inactive' } }),
      aJob('4', 'backups.restore', { input: { filename: 'a.wpress' }, result: { safety: { filename: 's.wpress' } } }),
      aJob('5', 'changes.update', { state: 'failed' }),
    ];
    expect(judge(jobs, first)).toEqual([]);
    const secondRestore = aJob('6', 'backups.restore', { input: { filename: 's.wpress' }, result: { safety: {} } });
    expect(judge([...jobs, secondRestore], state({ vitrine: '1.3.0' }))).toEqual([]);
  });

  it('includes the active plugins of the time of a WordPress update, once it is rolled back', () => {
    const initial = state({ vitrine: '1.2.0', [core]: '6.1' }, ['vitrine', core]);
    const jobs = [
      aJob('1', 'changes.update', { item: core, result: { from: '6.1', to: '6.2', status: 'active' } }),
      aJob('2', 'changes.deactivate', { result: { from: '1.2.0', to: '1.2.0', status: 'inactive' } }),
      aJob('3', 'changes.restore', { item: core, result: { from: '6.2', to: '6.1', status: 'active' } }),
    ];
    expect(judge(jobs, initial, initial)).toEqual([]);
    expect(judge(jobs.slice(0, 2), initial, initial)).toHaveLength(2);
    const secondRollback = aJob('4', 'changes.restore', {
      item: core,
      result: { from: '6.1', to: '6.2', status: 'active' },
    });
    expect(judge([...jobs, secondRollback], state({ vitrine: '1.2.0', [core]: '6.2' }, [core]), initial)).toEqual([]);
  });

  it('keeps the version of WordPress when a backup is restored', () => {
    const jobs = [
      aJob('1', 'backups.create', { result: { filename: 'a.wpress' } }),
      aJob('2', 'changes.update', { item: core, result: { from: '6.1', to: '6.2', status: 'active' } }),
      aJob('3', 'backups.restore', { input: { filename: 'a.wpress' }, result: { safety: {} } }),
    ];
    const initial = state({ vitrine: '1.2.0', [core]: '6.1' }, ['vitrine', core]);
    expect(judge(jobs, state({ vitrine: '1.2.0', [core]: '6.2' }, ['vitrine', core]), initial)).toEqual([]);
    expect(judge(jobs, initial, initial)).toEqual([['dit réussi, sans son effet', '2']]);
  });

  it.each<[string, SiteJob, SiteState]>([
    ['dit réussi, sans son effet', anUpdate('1', '1.2.0', '1.3.0'), first],
    ['dit réussi, sans son effet', aJob('1', 'changes.activate'), state({ vitrine: '1.2.0' })],
    [
      'dit échoué, mais fait',
      aJob('1', 'changes.update', { state: 'failed' }),
      state({ vitrine: '1.3.0' }, ['vitrine']),
    ],
    ['dit échoué, mais fait', aJob('1', 'changes.install', { state: 'failed' }), state({ vitrine: '1.2.0' })],
  ])('reveals: %s', (kind, job, actual) => {
    expect(judge([job], actual)).toEqual([[kind, '1']]);
  });

  it('is also checked against the version that the next change found', () => {
    const jobs = [aJob('1', 'changes.update', { state: 'failed' }), anUpdate('2', '1.3.0', '1.4.0')];
    expect(judge(jobs, state({ vitrine: '1.4.0' }, ['vitrine']))).toEqual([['dit échoué, mais fait', '1']]);
  });

  it.each<Partial<SiteJob>>([{ state: 'unknown' }, { state: 'failed', code: 'not_rolled_back' }])(
    'may be anything after an unknown result: %j',
    (fields) => {
      expect(judge([aJob('1', 'changes.update', fields)], state({}))).toEqual([]);
      const next = [aJob('1', 'changes.update', fields), anUpdate('2', '9', '1.3.0')];
      expect(judge(next, first)).toEqual([['dit réussi, sans son effet', '2']]);
    },
  );
});

it('finds operations that overlap in the same folder', () => {
  const [job, other] = [
    { id: 'a', lock: '/x', begin: 10, end: 20 },
    { id: 'b', lock: '/x', begin: 19, end: 30 },
  ];
  expect(findOverlappingOperations([other, job]).map(({ id }) => id)).toEqual(['a b']);
  expect(findOverlappingOperations([job, { ...other, lock: '/y' }])).toEqual([]);
  expect(findOverlappingOperations([job, { ...other, begin: 20 }])).toEqual([]);
});

it('finds actions that WordPress did twice during one job', () => {
  const window = { id: 'a', item: 'vitrine', from: 10, to: 20 };
  const actions = [11, 19].map((at) => ({ item: 'vitrine', at }));
  expect(findRepeatedActions([window], actions).map(({ id }) => id)).toEqual(['a']);
  expect(findRepeatedActions([{ ...window, to: 15 }], actions)).toEqual([]);
  // The clocks are read at different times, so the action may seem later than the end of the job.
  expect(findRepeatedActions([{ ...window, to: 18.5 }], actions).map(({ id }) => id)).toEqual(['a']);
});

it('does not count an action of the next job as a repetition', () => {
  const [job, next] = [
    { id: 'a', item: 'vitrine', from: 10, to: 18.5 },
    { id: 'b', item: 'vitrine', from: 18.6, to: 30 },
  ];
  const actions = [11, 19].map((at) => ({ item: 'vitrine', at }));
  expect(findRepeatedActions([job, next], actions)).toEqual([]);
  expect(findRepeatedActions([job, next], [...actions, { item: 'vitrine', at: 20 }]).map(({ id }) => id)).toEqual([
    'b',
  ]);
});
