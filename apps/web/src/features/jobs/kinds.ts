import { isJobKind, type JobItem, type JobKind } from '@vigie/contracts/jobs';

type Kind = {
  name: string;
  /** The noun that a batch counts. */
  on: readonly [one: string, many: string];
  /** The cache tags that the end of the job makes stale. */
  stale: readonly string[];
};

const servers: Kind['on'] = ['serveur', 'serveurs'];
const sites: Kind['on'] = ['site', 'sites'];
const backups: Kind['on'] = ['sauvegarde', 'sauvegardes'];
const items: Kind['on'] = ['élément', 'éléments'];

const kinds: Readonly<Record<JobKind, Kind>> = {
  'servers.test': { name: 'Test de connexion', on: servers, stale: ['servers'] },
  'servers.discover': { name: 'Découverte des sites', on: servers, stale: [] },
  'site-repairs.look': { name: 'Examen du site', on: sites, stale: ['sites'] },
  'site-repairs.apply': { name: 'Réparation', on: sites, stale: ['sites'] },
  'sites.test': { name: 'Test de connexion', on: sites, stale: ['sites'] },
  'sites.inspect': { name: 'Lecture de WordPress', on: sites, stale: ['sites'] },
  'backups.create': { name: 'Sauvegarde', on: sites, stale: ['sites', 'backups'] },
  'backups.download': { name: 'Téléchargement', on: backups, stale: ['sites', 'backups'] },
  'backups.import': { name: 'Import', on: backups, stale: ['sites', 'backups'] },
  'backups.verify': { name: 'Vérification', on: backups, stale: ['backups'] },
  'backups.restore': { name: 'Restauration', on: sites, stale: ['sites', 'backups', 'changes'] },
  'changes.update': { name: 'Mise à jour', on: items, stale: ['sites', 'changes'] },
  'changes.install': { name: 'Installation', on: sites, stale: ['sites', 'changes'] },
  'changes.activate': { name: 'Activation', on: items, stale: ['sites', 'changes'] },
  'changes.deactivate': { name: 'Désactivation', on: items, stale: ['sites', 'changes'] },
  'changes.restore': { name: 'Retour à la version précédente', on: items, stale: ['sites', 'changes'] },
};

type Named = Pick<JobItem, 'kind' | 'about' | 'site_name' | 'server_name'>;

const kindOf = (kind: string): Kind | undefined => (isJobKind(kind) ? kinds[kind] : undefined);

/** A kind that this version does not know is shown by its raw name. */
export function nameOf({ kind, about, site_name: site, server_name: server }: Named): string {
  return [kindOf(kind)?.name ?? kind, about, site ?? server].filter(Boolean).join(' · ');
}

export const countedIn = (kind: string): Kind['on'] => kindOf(kind)?.on ?? sites;

export const staleAfter = (kind: string): readonly string[] => kindOf(kind)?.stale ?? [];
