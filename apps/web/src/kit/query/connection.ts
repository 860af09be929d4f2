import { createSignal, useSignal } from '../../ui/signal';

/**
 * `doubtful`: a call got no response, and the readiness check has not ended yet. `offline`: the browser has no network.
 * `unreachable`: the browser has a network, but Vigie does not respond.
 */
export type Connection = 'online' | 'doubtful' | 'offline' | 'unreachable';

/** Only this call decides that Vigie is unreachable: any other may have failed on its own. */
export const readinessPath = '/health/ready';

const connection = createSignal<Connection>(navigator.onLine ? 'online' : 'offline');
let wentOfflineAt = Number.NEGATIVE_INFINITY;

/**
 * A response counts only when its call was sent after the network was lost. It then counts even while the browser says
 * that it is offline: Vigie may run on the same machine.
 */
export function reportReachability(isReached: boolean, sentAt: number, path: string): void {
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
// The next call decides whether Vigie responds.
window.addEventListener('online', () => connection.set('unreachable'));

/** Calls the listener when Vigie responds again; one failed call alone is no outage. */
export function onReconnect(listener: () => void): void {
  let wasAway = false;
  connection.subscribe(() => {
    const now = connection.get();
    if (now === 'doubtful') return;
    if (now === 'online' && wasAway) listener();
    wasAway = now !== 'online';
  });
}

export const useConnection = (): Connection => useSignal(connection);
