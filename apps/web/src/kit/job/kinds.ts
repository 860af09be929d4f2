import { isJobKind, type JobItem, type JobKind } from '@vigie/contracts/jobs';
import type { Topic } from '@vigie/contracts/routes';

type JobKindInfo = {
  name: string;
  /** The noun that a batch counts. */
  noun: readonly [one: string, many: string];
  /** The topics that the end of the job makes stale. */
  stale: readonly Topic[];
};

const servers: JobKindInfo['noun'] = ['serveur', 'serveurs'];
const sites: JobKindInfo['noun'] = ['site', 'sites'];
const backups: JobKindInfo['noun'] = ['sauvegarde', 'sauvegardes'];
const items: JobKindInfo['noun'] = ['élément', 'éléments'];

const kinds: Readonly<Record<JobKind, JobKindInfo>> = {
  'servers.test': { name: 'Test de connexion', noun: servers, stale: ['servers'] },
  'servers.discover': { name: 'Découverte des sites', noun: servers, stale: [] },
  'site-repairs.look': { name: 'Examen du site', noun: sites, stale: ['sites'] },
  'site-repairs.apply': { name: 'Réparation', noun: sites, stale: ['sites'] },
  'sites.test': { name: 'Test de connexion', noun: sites, stale: ['sites'] },
  'sites.inspect': { name: 'Lecture de WordPress', noun: sites, stale: ['sites'] },
  'backups.create': { name: 'Sauvegarde', noun: sites, stale: ['sites', 'backups'] },
  'backups.download': { name: 'Téléchargement', noun: backups, stale: ['sites', 'backups'] },
  'backups.import': { name: 'Import', noun: backups, stale: ['sites', 'backups'] },
  'backups.verify': { name: 'Vérification', noun: backups, stale: ['backups'] },
  'backups.restore': { name: 'Restauration', noun: sites, stale: ['sites', 'backups', 'changes'] },
  'changes.update': { name: 'Mise à jour', noun: items, stale: ['sites', 'changes'] },
  'changes.install': { name: 'Installation', noun: sites, stale: ['sites', 'changes'] },
  'changes.activate': { name: 'Activation', noun: items, stale: ['sites', 'changes'] },
  'changes.deactivate': { name: 'Désactivation', noun: items, stale: ['sites', 'changes'] },
  'changes.restore': { name: 'Retour à la version précédente', noun: items, stale: ['sites', 'changes'] },
};

type NamedJob = Pick<JobItem, 'kind' | 'about' | 'site_name' | 'server_name'>;

const kindInfo = (kind: string): JobKindInfo | undefined => (isJobKind(kind) ? kinds[kind] : undefined);

/** A kind that this version does not know is shown by its raw name. */
export function jobName({ kind, about, site_name: siteName, server_name: serverName }: NamedJob): string {
  return [kindInfo(kind)?.name ?? kind, about, siteName ?? serverName].filter(Boolean).join(' · ');
}

export const batchNoun = (kind: string): JobKindInfo['noun'] => kindInfo(kind)?.noun ?? sites;

export const staleTagsAfter = (kind: string): readonly Topic[] => kindInfo(kind)?.stale ?? [];
