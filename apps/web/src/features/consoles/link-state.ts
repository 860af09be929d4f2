/** Why a console stopped. */
export type Trouble = { code: string; message: string };

export type LinkState =
  | { status: 'connecting' }
  | { status: 'connected' }
  /** `unopened` is the reason when no shell was opened yet. */
  | { status: 'reconnecting'; attempt: number; unopened?: Trouble }
  /** All quick attempts failed; the network, a later attempt or the user may reconnect it. */
  | { status: 'lost'; trouble: Trouble }
  | { status: 'ended'; code: number | null; signal: string | null }
  /** It does not reconnect by itself. `isAlive`: the shell still runs. */
  | { status: 'gone'; trouble: Trouble; isAlive: boolean };

export const maxAttempts = 5;

/** True when no shell runs any more, as far as is known. */
export const isOver = (state: LinkState): boolean =>
  state.status === 'ended' || (state.status === 'gone' && !state.isAlive);
