import { changeCodes } from '@vigie/contracts/change-codes';
import type { ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import type { JobError } from '@vigie/contracts/jobs';
import type { ChangeOrder } from '@vigie/wordpress/change';
import type { Verdict } from './checkpoint';

export type Action = ChangeOrder['action'];
export type ChangeSubject = { action: Action; item: ChangeInput['item']; from: string | null; to: string | null };

const quoted = (name: string) => `«\u00a0${name}\u00a0»`;

/** `La mise à jour de « Vitrine » (1.2.0 → 1.3.0)`. */
export function changeName({ action, item, from, to }: ChangeSubject): string {
  const versions = from !== null && to !== null && from !== to ? ` (${from} → ${to})` : '';
  const name = quoted(item.name);
  const words: Record<Action, string> = {
    update: `La mise à jour de ${name}${versions}`,
    install: `L’installation de ${name}${versions}`,
    activate: `L’activation de ${name}`,
    deactivate: `La désactivation de ${name}`,
    restore: `Le retour de ${name} à sa version précédente${versions}`,
  };
  return words[action];
}

export const regressionText = (subject: ChangeSubject, reason: string) =>
  `${changeName(subject)} abîme le site\u00a0: ${reason}.`;

function rollbackText({ action, item, from }: ChangeSubject): string {
  if (action === 'deactivate') return `${quoted(item.name)} est de nouveau active.`;
  if (action === 'activate') {
    return item.kind === 'theme'
      ? 'Le thème précédent est de nouveau actif.'
      : `${quoted(item.name)} est de nouveau inactive.`;
  }
  if (action === 'install') return 'L’installation a été annulée\u00a0: ce qu’elle avait remplacé est rétabli.';
  return `La version ${from ?? 'précédente'} est de retour.`;
}

const tablesText =
  'La base de données est revenue elle aussi à son état d’avant\u00a0: ce qui y a été écrit depuis (commandes, commentaires…) est perdu.';

type Rollback = { subject: ChangeSubject; verdict: Verdict; change: ChangeOutcome };

/** The error of a change that was rolled back; `regression` if the site is still worse than before. */
export function rolledBackError(
  { subject, verdict, change, hasTables }: Rollback & { hasTables: boolean },
  regression: string | undefined,
): JobError {
  const { code, reason, remedy } = verdict;
  const message = `${reason} ${rollbackText(subject)}${hasTables ? ` ${tablesText}` : ''}`;
  if (regression === undefined) return { message, remedy, code, change };
  return {
    message: `${message} Mais le site ne va toujours pas comme avant\u00a0: ${regression}.`,
    remedy: `Ouvrez «\u00a0Site cassé\u00a0?\u00a0» sur la page du site\u00a0: vous y verrez ce qui l’empêche de répondre.`,
    code,
    change,
    still: regression,
  };
}

/** The error of a change whose rollback failed too. */
export const rollbackFailedError = (
  { verdict, change }: Rollback,
  failure: Pick<JobError, 'message' | 'remedy'>,
): JobError => ({
  message: `${verdict.reason} Le retour arrière a échoué\u00a0: ${failure.message}`,
  remedy: failure.remedy ?? verdict.remedy,
  code: changeCodes.notRolledBack,
  change,
});

export const reportToAuthor = ({ item }: ChangeSubject) =>
  `Signalez cette erreur à l’auteur de ${quoted(item.name)}, et attendez une version corrigée avant de recommencer.`;

export const retryRemedy = 'Vérifiez que le serveur répond et qu’il a assez de mémoire, puis relancez la modification.';

export const tooLateLine =
  'L’annulation vient trop tard\u00a0: la modification est faite, et il ne reste qu’à la vérifier.';

export const healthyLine =
  'Le site va bien. Seconde vérification dans quelques secondes, quand PHP aura relu ses fichiers.';

export const startLine = ({ name, to }: Pick<ChangeOutcome, 'name' | 'to'>) =>
  `WordPress démarre, et annonce\u00a0: ${name} ${to ?? ''}`.trim();

/** Somebody else changed the version, or the job rolled back before Vigie itself was restored from a backup. */
export const versionChangedError = (subject: ChangeSubject, otherVersion: string): JobError => ({
  message: `${changeName(subject)}\u00a0: l’opération s’est terminée, mais ${otherVersion}. Ce qui a changé depuis n’est pas connu.`,
  remedy: retryRemedy,
  code: changeCodes.interrupted,
});

export const togetherLine = (count: number) =>
  `${count} mises à jour de ce site se font ensemble\u00a0: WordPress ne démarre qu’une fois, et le site est vérifié pour toutes.`;

export const updatedAloneLine =
  'Ces mises à jour ne peuvent pas se faire ensemble sur ce site\u00a0: chacune sera faite seule. Rien n’a encore été modifié.';
