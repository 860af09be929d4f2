import { fr } from '../terminal';
import type { Finding } from './audit';
import { type GuardName, guards } from './guards';

/** What a trial that came to its end has seen. */
export type Trial = {
  found: readonly Finding[];
  /** Whether at least half of its faults met an operation. */
  hasStruckWork: boolean;
};

/** Where it did not: nothing is shown, neither of the product nor of a guard. */
export const unfinished = 2;

/** What a trial ends with. Without a guard it must find what that guard prevents, and nothing else will do. */
export function judge({ found, hasStruckWork }: Trial, without: GuardName | undefined): { code: 0 | 1; words: string } {
  if (without === undefined) {
    return found.length === 0 && hasStruckWork
      ? { code: 0, words: 'Rien de perdu, rien de doublé, rien de faux' }
      : { code: 1, words: 'L’épreuve a échoué' };
  }
  const shows: readonly string[] = guards[without].shows;
  const seen = found.filter(({ what }) => shows.includes(what)).length;
  return seen > 0
    ? { code: 0, words: fr`Sans ${without}, l’épreuve le voit ${seen} fois (${shows.join(', ')})` }
    : { code: 1, words: fr`Sans ${without}, l’épreuve ne voit rien de tel (${shows.join(', ')})` };
}
