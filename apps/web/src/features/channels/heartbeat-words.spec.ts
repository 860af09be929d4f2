import type { ChannelHeartbeat } from '@vigie/contracts/channels';
import { expect, it } from 'vitest';
import { awaitsCall, heartbeatState } from './heartbeat-words';

const now = new Date('2026-11-29T03:12:00.000Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
const called: ChannelHeartbeat = {
  called_at: ago(40),
  accepted_at: ago(40),
  status: 200,
  error: null,
  missing: [],
};
const state = (changes: Partial<ChannelHeartbeat>) => {
  const { sentence, ...words } = heartbeatState({ ...called, ...changes }, now);
  return { ...words, ...(sentence !== undefined && { sentence: sentence.replaceAll('\u00a0', ' ') }) };
};

it('says how the calls go', () => {
  expect(state({})).toEqual({ tone: 'ok', word: 'Accepté' });
  expect(state({ status: 500, error: 'En panne.' })).toEqual({ tone: 'danger', word: 'Échec', sentence: 'En panne.' });
  expect(state({ called_at: null })).toEqual({ tone: 'info', word: 'Premier appel dans un instant' });
  expect(state({ called_at: ago(240) })).toEqual({
    tone: 'warn',
    word: 'Silence',
    sentence: 'Vigie n’a rien appelé depuis 4 min.',
  });
});

it('names what is missing, and since when', () => {
  const agent = { part: 'ssh-agent', since: ago(200) } as const;
  const redis = { part: 'redis', since: ago(20) } as const;
  expect(state({ missing: [agent] }).sentence).toBe('Pas d’appel : aucun agent ne répond depuis 3 min.');
  expect(state({ missing: [agent, redis], error: 'En panne.' })).toEqual({
    tone: 'danger',
    word: 'Silence',
    sentence: 'Pas d’appel : aucun agent ne répond depuis 3 min et Redis ne répond pas depuis moins d’une minute.',
  });
});

it('awaits the first call of a new channel alone', () => {
  expect(awaitsCall({ ...called, called_at: null })).toBe(true);
  expect(awaitsCall(called)).toBe(false);
  expect(awaitsCall({ ...called, called_at: null, missing: [{ part: 'redis', since: ago(1) }] })).toBe(false);
});
