import { isJobKind, type JobItem, type JobKind } from '@vigie/contracts/jobs';
import type { Topic } from '@vigie/contracts/routes';
import { plural } from '../../ui/plural';

type JobKindInfo = {
  name: string;
  /** What the jobs of a batch that succeeded are. */
  done: readonly [one: string, many: string];
  /** The topics that the end of the job makes stale. */
  stale: readonly Topic[];
};

const tests: JobKindInfo['done'] = ['test réussi', 'tests réussis'];

const kinds: Readonly<Record<JobKind, JobKindInfo>> = {
  'servers.test': { name: 'Test de connexion', done: tests, stale: ['servers'] },
  'servers.discover': { name: 'Découverte des sites', done: ['serveur parcouru', 'serveurs parcourus'], stale: [] },
  'site-repairs.look': { name: 'Examen du site', done: ['site examiné', 'sites examinés'], stale: ['sites'] },
  'site-repairs.apply': { name: 'Réparation', done: ['réparation', 'réparations'], stale: ['sites'] },
  'sites.test': { name: 'Test de connexion', done: tests, stale: ['sites'] },
  'sites.inspect': { name: 'Lecture de WordPress', done: ['site lu', 'sites lus'], stale: ['sites'] },
  'backups.create': { name: 'Sauvegarde', done: ['sauvegarde', 'sauvegardes'], stale: ['sites', 'backups'] },
  'backups.download': {
    name: 'Téléchargement',
    done: ['téléchargement', 'téléchargements'],
    stale: ['sites', 'backups'],
  },
  'backups.import': { name: 'Import', done: ['import', 'imports'], stale: ['sites', 'backups'] },
  'backups.verify': { name: 'Vérification', done: ['vérification', 'vérifications'], stale: ['backups'] },
  'backups.restore': {
    name: 'Restauration',
    done: ['restauration', 'restaurations'],
    stale: ['sites', 'backups', 'changes'],
  },
  'changes.update': { name: 'Mise à jour', done: ['mise à jour', 'mises à jour'], stale: ['sites', 'changes'] },
  'changes.install': { name: 'Installation', done: ['installation', 'installations'], stale: ['sites', 'changes'] },
  'changes.activate': { name: 'Activation', done: ['activation', 'activations'], stale: ['sites', 'changes'] },
  'changes.deactivate': {
    name: 'Désactivation',
    done: ['désactivation', 'désactivations'],
    stale: ['sites', 'changes'],
  },
  'changes.restore': {
    name: 'Retour à la version précédente',
    done: ['retour en arrière', 'retours en arrière'],
    stale: ['sites', 'changes'],
  },
  'commands.run': { name: 'Commande', done: ['commande réussie', 'commandes réussies'], stale: ['sites'] },
};

type NamedJob = Pick<JobItem, 'kind' | 'about' | 'site_name' | 'server_name'> & Partial<Pick<JobItem, 'targets'>>;

const kindInfo = (kind: string): JobKindInfo | undefined => (isJobKind(kind) ? kinds[kind] : undefined);

/** "Boulangerie Le Fournil et 4 autres". */
function targetName({ site_name: siteName, server_name: serverName, targets }: NamedJob): string | null {
  if (!targets) return siteName ?? serverName;
  return targets.count > 1 ? `${targets.name} et ${plural(targets.count - 1, 'autre', 'autres')}` : targets.name;
}

/** The site or server, then the item, for a list of jobs of one kind. */
export const jobSubject = (job: NamedJob): string =>
  [targetName(job), job.about].filter(Boolean).join(' · ') || job.kind;

/** The kind, the site or server, then the item: what is cut at the end says least. An unknown kind has its raw name. */
export const jobName = (job: NamedJob): string =>
  [kindInfo(job.kind)?.name ?? job.kind, targetName(job), job.about].filter(Boolean).join(' · ');

/** "22 mises à jour". */
export const formatDone = (kind: string, count: number): string =>
  plural(count, ...(kindInfo(kind)?.done ?? (['réussie', 'réussies'] as const)));

export const staleTagsAfter = (kind: string): readonly Topic[] => kindInfo(kind)?.stale ?? [];
