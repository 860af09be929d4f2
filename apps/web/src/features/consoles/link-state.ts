/** Why a console does not go on, in the gateway's words or ours. */
export type Trouble = { code: string; message: string };

export type LinkState =
  | { at: 'connecting' }
  | { at: 'connected' }
  /** `unopened`: why there was no shell of it yet. */
  | { at: 'reconnecting'; attempt: number; unopened?: Trouble }
  /** Tried as often as it is worth; the network, the time or a person may bring it back. */
  | { at: 'lost'; trouble: Trouble }
  | { at: 'ended'; code: number | null; signal: string | null }
  /** It will not come back by itself. `isAlive`: its shell goes on elsewhere, or waits. */
  | { at: 'gone'; trouble: Trouble; isAlive: boolean };

export const attempts = 5;

/** No shell of it lives any more, as far as anybody knows. */
export const isOver = (state: LinkState): boolean => state.at === 'ended' || (state.at === 'gone' && !state.isAlive);
