import { createSignal, useSignal } from '../ui/signal';

/**
 * `doubtful`: a call got no answer, and whether Vigie gives any is being asked. `offline`: the machine has no network.
 * `unreachable`: it has one, or got it back, but Vigie did not answer yet.
 */
export type Connection = 'online' | 'doubtful' | 'offline' | 'unreachable';

/** What tells whether Vigie answers at all: any other call may have met something that is on its way alone. */
export const readinessPath = '/health/ready';

const connection = createSignal<Connection>(navigator.onLine ? 'online' : 'offline');
let wentOfflineAt = Number.NEGATIVE_INFINITY;

/**
 * What a call met. An answer to a call that was sent before the network went proves nothing; one that was sent after
 * does, even while the machine says that it is offline: Vigie may run on it.
 */
export function reportReached(isReached: boolean, sentAt: number, path: string): void {
  if (sentAt < wentOfflineAt) return;
  if (isReached) connection.set('online');
  else if (!navigator.onLine) connection.set('offline');
  else if (path === readinessPath) connection.set('unreachable');
  else if (connection.get() === 'online') connection.set('doubtful');
}

window.addEventListener('offline', () => {
  wentOfflineAt = performance.now();
  connection.set('offline');
});
// A network is not yet an answer: the next call tells.
window.addEventListener('online', () => connection.set('unreachable'));

/** Hears that Vigie answers again: one call that met nothing says nothing of the others. */
export function onReturn(hear: () => void): void {
  let wasAway = false;
  connection.subscribe(() => {
    const now = connection.get();
    if (now === 'doubtful') return;
    if (now === 'online' && wasAway) hear();
    wasAway = now !== 'online';
  });
}

export const useConnection = (): Connection => useSignal(connection);
