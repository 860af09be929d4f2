/** Why a console stopped. */
export type Trouble = { code: string; message: string };

export type LinkState =
  | { at: 'connecting' }
  | { at: 'connected' }
  /** `unopened` is the reason when no shell was opened yet. */
  | { at: 'reconnecting'; attempt: number; unopened?: Trouble }
  /** All quick attempts failed; the network, a later attempt or the user may reconnect it. */
  | { at: 'lost'; trouble: Trouble }
  | { at: 'ended'; code: number | null; signal: string | null }
  /** It does not reconnect by itself. `isAlive`: the shell still runs. */
  | { at: 'gone'; trouble: Trouble; isAlive: boolean };

export const attempts = 5;

/** True when no shell runs any more, as far as is known. */
export const isOver = (state: LinkState): boolean => state.at === 'ended' || (state.at === 'gone' && !state.isAlive);
