import { describe, expect, it } from 'vitest';
import { audit, type Evidence, readEffects, type ReportedJob } from './audit';

const aJob = (id: string, kind: string, state: string, changes: Partial<ReportedJob> = {}): ReportedJob => ({
  id,
  kind: `trial.${kind}`,
  state,
  isCancelAsked: false,
  output: null,
  ...changes,
});
const effectLines = (id: string, site = '/a') => `begin ${id} ${site}\nend ${id} ${site}\n`;

/** Audits a correct run with the changes of a test. */
function runAudit(ledger: readonly ReportedJob[], effects: string, changes: Partial<Evidence> = {}) {
  const disks = [{ lines: ledger.flatMap(({ id, kind }) => (kind === 'trial.append' ? [id] : [])), files: new Map() }];
  const evidence = { ledger, effects: [readEffects(effects)], accepted: ledger.map(({ id }) => id), disks };
  return audit({ wronglyAccepted: [], leftovers: [], ...evidence, ...changes }).map(({ kind }) => kind);
}

describe('the audit of a trial', () => {
  it('finds nothing when all reports are true', () => {
    const ledger = [
      aJob('1', 'append', 'succeeded'),
      aJob('2', 'fail', 'failed'),
      aJob('3', 'sleep', 'cancelled'),
      aJob('4', 'sleep', 'cancelled'),
      aJob('6', 'sleep', 'succeeded'),
      aJob('7', 'sleep', 'unknown', { isCancelAsked: true }),
    ];
    const effects = `${effectLines('1')}begin 2 /a\nfailed 2 /a\nbegin 3 /a\n${effectLines('6')}`;
    expect(runAudit(ledger, effects)).toEqual([]);
  });

  it.each<[string, Parameters<typeof runAudit>]>([
    ['perdu', [[], '', { accepted: ['1'] }]],
    ['jamais terminé', [[aJob('1', 'sleep', 'running')], '']],
    ['jamais terminé', [[aJob('1', 'sleep', 'queued', { kind: 'servers.test' })], '']],
    ['commencé deux fois', [[aJob('1', 'sleep', 'succeeded')], `begin 1 /a\n${effectLines('1')}`]],
    [
      'deux à la fois sur un site',
      [[aJob('1', 'sleep', 'succeeded'), aJob('2', 'sleep', 'succeeded')], `begin 1 /a\n${effectLines('2')}end 1 /a\n`],
    ],
    ['dit réussi, sans son effet', [[aJob('1', 'sleep', 'succeeded')], 'begin 1 /a\n']],
    ['dit réussi, sans son effet', [[aJob('1', 'fail', 'succeeded')], effectLines('1')]],
    [
      'dit réussi, sans son effet',
      [[aJob('1', 'append', 'succeeded')], effectLines('1'), { disks: [{ lines: [], files: new Map() }] }],
    ],
    [
      'dit réussi, sans son effet',
      [[aJob('1', 'append', 'succeeded')], effectLines('1'), { disks: [{ lines: ['1', '1'], files: new Map() }] }],
    ],
    [
      'dit réussi, sans son effet',
      [
        [aJob('1', 'write', 'succeeded', { output: 'a' })],
        effectLines('1'),
        { disks: [{ lines: [], files: new Map([['1', 'b']]) }] },
      ],
    ],
    ['dit échoué, mais commencé', [[aJob('1', 'sleep', 'failed')], effectLines('1')]],
    ['dit échoué, sans essai', [[aJob('1', 'sleep', 'failed')], '']],
    ['dit annulé, mais terminé', [[aJob('1', 'sleep', 'cancelled')], effectLines('1')]],
    ['dit inconnu, ce que le journal sait', [[aJob('1', 'sleep', 'unknown')], effectLines('1')]],
    ['cru trop tard', [[], '', { wronglyAccepted: [{ kind: 'cru trop tard', id: '1' }] }]],
    ['reste', [[], '', { leftovers: ['a lease'] }]],
  ])('finds: %s', (kind, [ledger, effects, changes]) => {
    expect(runAudit(ledger, effects, changes)).toEqual([kind]);
  });

  it('finds no overlap between two sites, or after a stopped operation', () => {
    const ledger = [aJob('1', 'sleep', 'succeeded'), aJob('2', 'sleep', 'succeeded'), aJob('3', 'sleep', 'cancelled')];
    expect(runAudit(ledger, `begin 1 /a\nbegin 3 /b\n${effectLines('2', '/b')}end 1 /a\n`)).toEqual([]);
  });
});
