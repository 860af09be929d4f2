import { fr } from '../terminal';
import type { Finding } from './audit';
import { type GuardName, guards } from './guards';

export type TrialResult = {
  findings: readonly Finding[];
  /** Whether at least half of its faults hit a running operation. */
  hasHitWork: boolean;
};

/** The exit code of an unfinished trial, which proves nothing. */
export const unfinishedCode = 2;

/** Judges a trial. Without a guard it must find what that guard prevents. */
export function judge(
  { findings, hasHitWork }: TrialResult,
  without: GuardName | undefined,
): { code: 0 | 1; message: string } {
  if (without === undefined) {
    return findings.length === 0 && hasHitWork
      ? { code: 0, message: 'Rien de perdu, rien de doublé, rien de faux' }
      : { code: 1, message: 'L’épreuve a échoué' };
  }
  const expectedFindings: readonly string[] = guards[without].expectedFindings;
  const matches = findings.filter(({ kind }) => expectedFindings.includes(kind)).length;
  return matches > 0
    ? { code: 0, message: fr`Sans ${without}, l’épreuve le voit ${matches} fois (${expectedFindings.join(', ')})` }
    : { code: 1, message: fr`Sans ${without}, l’épreuve ne voit rien de tel (${expectedFindings.join(', ')})` };
}
