import { createSignal, useSignal } from '../ui/signal';

/** `offline`: the machine has no network. `unreachable`: it has one, but Vigie does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable';

const connection = createSignal<Connection>(navigator.onLine ? 'online' : 'offline');

export const reportReached = (isReached: boolean): void =>
  connection.set(isReached ? 'online' : navigator.onLine ? 'unreachable' : 'offline');

window.addEventListener('offline', () => connection.set('offline'));
// A network is not yet an answer: the next call tells.
window.addEventListener('online', () => connection.set('unreachable'));

export const useConnection = (): Connection => useSignal(connection);
