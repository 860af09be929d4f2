import type { JobItem, JobState } from '@vigie/contracts/jobs';
import { same, type Words } from './language';

export const stateWords: Readonly<Record<JobState, Words>> = {
  queued: { fr: 'en attente', en: 'queued' },
  running: { fr: 'en cours', en: 'running' },
  succeeded: { fr: 'réussi', en: 'succeeded' },
  failed: { fr: 'échoué', en: 'failed' },
  cancelled: { fr: 'annulé', en: 'cancelled' },
  unknown: { fr: 'issue inconnue', en: 'outcome unknown' },
};

const kindNames: Readonly<Record<string, Words>> = {
  'backups.create': { fr: 'sauvegarde', en: 'backup' },
  'backups.download': { fr: 'téléchargement', en: 'download' },
  'backups.import': { fr: 'import', en: 'import' },
  'backups.restore': { fr: 'restauration', en: 'restore' },
  'backups.verify': { fr: 'vérification', en: 'verification' },
  'changes.activate': { fr: 'activation', en: 'activation' },
  'changes.deactivate': { fr: 'désactivation', en: 'deactivation' },
  'changes.install': { fr: 'installation', en: 'installation' },
  'changes.restore': { fr: 'retour en arrière', en: 'rollback' },
  'changes.update': { fr: 'mise à jour', en: 'update' },
  'commands.run': { fr: 'commande', en: 'command' },
  'servers.discover': { fr: 'découverte', en: 'discovery' },
  'servers.test': { fr: 'test du serveur', en: 'server test' },
  'site-repairs.apply': { fr: 'réparation', en: 'repair' },
  'site-repairs.look': { fr: 'examen', en: 'check' },
  'sites.inspect': { fr: 'lecture', en: 'inspection' },
  'sites.test': { fr: 'test du site', en: 'site test' },
};

/** A kind of a newer server is shown by its own name. */
export const kindOf = (kind: string): Words => kindNames[kind] ?? same(kind);

/** "3/10, 1 échoué". */
export function countsOf(counts: NonNullable<JobItem['counts']>): Words {
  const { total, succeeded, failed, cancelled, unknown } = counts;
  const done = succeeded + failed + cancelled + unknown;
  const faults = { failed, cancelled, unknown };
  const say = (language: keyof Words) =>
    [
      `${done}/${total}`,
      ...(['failed', 'cancelled', 'unknown'] as const).flatMap((state) =>
        faults[state] > 0 ? `${faults[state]} ${stateWords[state][language]}` : [],
      ),
    ].join(', ');
  return { fr: say('fr'), en: say('en') };
}

/** The step of a running job, and how much of it is done. */
export function progressOf({ state, progress }: Pick<JobItem, 'state' | 'progress'>): Words {
  if (!progress) return stateWords[state];
  const { step, done, total } = progress;
  const share =
    done !== null && total !== null && total > 0 ? ` ${Math.min(100, Math.floor((100 * done) / total))} %` : '';
  return same(`${step}${share}`);
}
