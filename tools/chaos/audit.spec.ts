import { describe, expect, it } from 'vitest';
import { audit, type Evidence, readEffects, type Told } from './audit';

const told = (id: string, kind: string, state: string, more: Partial<Told> = {}): Told => ({
  id,
  kind: `trial.${kind}`,
  state,
  isCancelAsked: false,
  said: null,
  ...more,
});
const done = (id: string, site = '/a') => `begin ${id} ${site}\nend ${id} ${site}\n`;

/** A run in which every word is true, but for what a test changes. */
function run(ledger: readonly Told[], effects: string, more: Partial<Evidence> = {}) {
  const disks = [{ lines: ledger.flatMap(({ id, kind }) => (kind === 'trial.append' ? [id] : [])), files: new Map() }];
  const evidence = { ledger, effects: [readEffects(effects)], accepted: ledger.map(({ id }) => id), disks };
  return audit({ believed: [], leftovers: [], ...evidence, ...more }).map(({ what }) => what);
}

describe('the audit of a trial', () => {
  it('finds nothing where all is as it was said', () => {
    const ledger = [
      told('1', 'append', 'succeeded'),
      told('2', 'fail', 'failed'),
      told('3', 'sleep', 'cancelled'),
      told('4', 'sleep', 'cancelled'),
      told('6', 'sleep', 'succeeded'),
      told('7', 'sleep', 'unknown', { isCancelAsked: true }),
    ];
    const effects = `${done('1')}begin 2 /a\nfailed 2 /a\nbegin 3 /a\n${done('6')}`;
    expect(run(ledger, effects)).toEqual([]);
  });

  it.each<[string, Parameters<typeof run>]>([
    ['perdu', [[], '', { accepted: ['1'] }]],
    ['jamais terminé', [[told('1', 'sleep', 'running')], '']],
    ['jamais terminé', [[told('1', 'sleep', 'queued', { kind: 'servers.test' })], '']],
    ['commencé deux fois', [[told('1', 'sleep', 'succeeded')], `begin 1 /a\n${done('1')}`]],
    [
      'deux à la fois sur un site',
      [[told('1', 'sleep', 'succeeded'), told('2', 'sleep', 'succeeded')], `begin 1 /a\n${done('2')}end 1 /a\n`],
    ],
    ['dit réussi, sans son effet', [[told('1', 'sleep', 'succeeded')], 'begin 1 /a\n']],
    ['dit réussi, sans son effet', [[told('1', 'fail', 'succeeded')], done('1')]],
    [
      'dit réussi, sans son effet',
      [[told('1', 'append', 'succeeded')], done('1'), { disks: [{ lines: [], files: new Map() }] }],
    ],
    [
      'dit réussi, sans son effet',
      [[told('1', 'append', 'succeeded')], done('1'), { disks: [{ lines: ['1', '1'], files: new Map() }] }],
    ],
    [
      'dit réussi, sans son effet',
      [
        [told('1', 'write', 'succeeded', { said: 'a' })],
        done('1'),
        { disks: [{ lines: [], files: new Map([['1', 'b']]) }] },
      ],
    ],
    ['dit échoué, mais commencé', [[told('1', 'sleep', 'failed')], done('1')]],
    ['dit échoué, sans essai', [[told('1', 'sleep', 'failed')], '']],
    ['dit annulé, mais terminé', [[told('1', 'sleep', 'cancelled')], done('1')]],
    ['dit inconnu, ce que le journal sait', [[told('1', 'sleep', 'unknown')], done('1')]],
    ['cru trop tard', [[], '', { believed: [{ what: 'cru trop tard', id: '1' }] }]],
    ['reste', [[], '', { leftovers: ['a lease'] }]],
  ])('finds what was %s', (what, [ledger, effects, more]) => {
    expect(run(ledger, effects, more)).toEqual([what]);
  });

  it('sees no overlap on two sites, nor after one that was stopped', () => {
    const ledger = [told('1', 'sleep', 'succeeded'), told('2', 'sleep', 'succeeded'), told('3', 'sleep', 'cancelled')];
    expect(run(ledger, `begin 1 /a\nbegin 3 /b\n${done('2', '/b')}end 1 /a\n`)).toEqual([]);
  });
});
