import { describe, expect, it } from 'vitest';
import { proposedBy, stateOf, timeLeft, titleOf, versionsOf } from './words';

const now = new Date('2026-01-01T12:00:00Z');

describe('a proposal', () => {
  it('says what it would do', () => {
    expect(titleOf({ order: 'updates', sites: 2, lines: 3 })).toBe('Mettre à jour 3\u00a0éléments sur 2\u00a0sites');
    expect(titleOf({ order: 'backups', sites: 1, lines: 1 })).toBe('Sauvegarder 1\u00a0site');
    expect(versionsOf({ from: '1.0', to: '1.1' })).toBe('1.0 → 1.1');
    expect(versionsOf({ from: null, to: null })).toBe('');
  });

  it('expires while it is shown', () => {
    expect(stateOf({ state: 'open', expires_at: '2026-01-01T12:00:01Z' }, now)).toBe('open');
    expect(stateOf({ state: 'open', expires_at: '2026-01-01T12:00:00Z' }, now)).toBe('expired');
    expect(stateOf({ state: 'confirmed', expires_at: '2026-01-01T12:00:00Z' }, now)).toBe('confirmed');
    expect(timeLeft('2026-01-01T12:59:30Z', now)).toBe('Valable encore 60\u00a0minutes.');
    expect(timeLeft('2026-01-01T12:00:20Z', now)).toBe('Valable encore 1\u00a0minute.');
  });

  it('names the token that it came by', () => {
    expect(proposedBy({ user_id: '', name: 'Anne', token: 'Claude' })).toBe(
      'Proposée avec le jeton «\u00a0Claude\u00a0» de Anne',
    );
  });
});
