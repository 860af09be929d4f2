import type { Words } from './language';

/** How the program ends. `unknown`: an order was sent, and nobody can tell here what became of it. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unknown: 4 } as const;
export type Ending = keyof typeof exitCodes;

type About = {
  /** 0 without an answer. */
  status?: number | undefined;
  detail?: unknown;
  retryAfter?: number | undefined;
  isLost?: boolean;
  isWrongAddress?: boolean;
};

/** Why a command ends without having done its work, in words for a person. */
export class Failure extends Error {
  constructor(
    readonly ending: Exclude<Ending, 'done'>,
    readonly words: Words,
    readonly about: About = {},
  ) {
    super(words.en);
    this.name = 'Failure';
  }
}

/** Whether the same call may succeed later, since the server did not answer it properly. */
export const mayRecover = ({ about: { status, isWrongAddress } }: Failure): boolean =>
  status !== undefined && !isWrongAddress && (status === 0 || status === 429 || status >= 500);

export const usage = (fr: string, en: string): Failure => new Failure('usage', { fr, en });
