import type { JobItem } from '@vigie/contracts/jobs';

type Kind = {
  /** What it is called for people. */
  name: string;
  /** What a batch of it is counted in. */
  on: readonly [one: string, many: string];
  /** The tags of what was read before and is not so any more. */
  stale: readonly string[];
};

const servers: Kind['on'] = ['serveur', 'serveurs'];
const sites: Kind['on'] = ['site', 'sites'];

const kinds: Readonly<Record<string, Kind>> = {
  'servers.test': { name: 'Test de connexion', on: servers, stale: ['servers'] },
  'servers.discover': { name: 'Découverte des sites', on: servers, stale: [] },
  'sites.test': { name: 'Test de connexion', on: sites, stale: ['sites'] },
  'sites.inspect': { name: 'Lecture de WordPress', on: sites, stale: ['sites'] },
};

type Named = Pick<JobItem, 'kind' | 'site_name' | 'server_name'>;

const kindOf = (kind: string): Kind | undefined => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined);

/** A kind that is not known here yet is still a row. */
export const nameOf = ({ kind, site_name: site, server_name: server }: Named): string =>
  [kindOf(kind)?.name ?? kind, site ?? server].filter(Boolean).join(' · ');

export const countedIn = (kind: string): Kind['on'] => kindOf(kind)?.on ?? sites;

export const staleAfter = (kind: string): readonly string[] => kindOf(kind)?.stale ?? [];
