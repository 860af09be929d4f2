import { serverState } from '@vigie/contracts/server-state';
import { expect, it } from 'vitest';
import { healthState, serverStates } from './server-state';

const alert = { kind: 'disk' as const, value: 93, threshold: 90, since: '2026-01-01T00:00:00Z' };

it.each([
  [false, [alert], 'Hors ligne'],
  [true, [alert], 'En alerte'],
  [true, [], 'En ligne'],
  [null, [], 'Inconnu'],
] as const)('says the state of a server that is online: %s, with the alerts %j', (online, alerts, word) => {
  expect(serverStates[serverState(online, alerts)].word).toBe(word);
});

it('says the same of a measured server', () => {
  expect(healthState({ status: 'up', alerts: [alert] }).word).toBe('En alerte');
  expect(healthState({ status: 'down', alerts: [alert] }).word).toBe('Hors ligne');
  // Only the port answered.
  expect(healthState({ status: 'unknown', alerts: [{ ...alert, kind: 'status' }] }).word).toBe('En alerte');
  expect(healthState({ status: 'unknown', alerts: [] }).word).toBe('Inconnu');
});
