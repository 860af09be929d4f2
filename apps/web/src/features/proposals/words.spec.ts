import { describe, expect, it } from 'vitest';
import { proposalTitle } from '../../kit/words/proposals';
import { planTitle, proposedBy, stateOf, timeLeft, versionsOf } from './words';

describe('a proposal', () => {
  it('says what it would do', () => {
    expect(proposalTitle({ order: 'updates', sites: 2, lines: 3 })).toBe(
      'Mettre à jour 3\u00a0éléments sur 2\u00a0sites',
    );
    expect(proposalTitle({ order: 'backups', sites: 1, lines: 1 })).toBe('Sauvegarder 1\u00a0site');
    expect(versionsOf({ from: '1.0', to: '1.1' })).toBe('1.0 → 1.1');
    expect(versionsOf({ from: null, to: null })).toBe('');
  });

  it('expires while it is shown', () => {
    expect(stateOf({ state: 'open', seconds_left: 20 }, 19_999)).toBe('open');
    expect(stateOf({ state: 'open', seconds_left: 20 }, 20_000)).toBe('expired');
    expect(stateOf({ state: 'confirmed', seconds_left: 0 }, 20_000)).toBe('confirmed');
    expect(timeLeft({ seconds_left: 3_600 }, 30_000)).toBe('Valable encore 60\u00a0minutes.');
    expect(timeLeft({ seconds_left: 3_600 }, 3_580_000)).toBe('Valable encore 1\u00a0minute.');
  });

  it('says of its plan whether it is to come', () => {
    expect(planTitle('open')).toBe('Ce qui sera fait');
    expect(planTitle('unknown')).toBe('Ce qui a été demandé');
    expect(planTitle('expired')).toBe('Ce qui était proposé');
  });

  it('names the token that it came by', () => {
    expect(proposedBy({ user_id: '', name: 'Anne', token: 'Claude' })).toBe(
      'Proposée avec le jeton «\u00a0Claude\u00a0» de Anne',
    );
  });
});
