import type { SearchResults } from '@vigie/contracts/search';
import type { ServerState } from '@vigie/contracts/server-state';
import { z } from 'zod';
import { serverStates } from '../../kit/words/server-state';

const kinds = ['site', 'server', 'group', 'plugin', 'zone'] as const;
export type Kind = (typeof kinds)[number];

export const Entity = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  name: z.string(),
  /** Tells two entities of the same name apart. */
  detail: z.string(),
  /** More text that a search may match. */
  words: z.string(),
  /** The server of a site. */
  server_id: z.string().nullish(),
});
export type Entity = z.infer<typeof Entity>;

type SiteFound = { id: string; name: string; url: string; server_id: string | null };

export const siteEntity = ({ id, name, url, server_id }: SiteFound): Entity => ({
  kind: 'site',
  id,
  name,
  detail: url.replace(/^https?:\/\//, ''),
  words: url,
  server_id,
});

type ServerFound = { id: string; name: string; host: string; state: ServerState };

export const serverEntity = ({ id, name, host, state }: ServerFound): Entity => ({
  kind: 'server',
  id,
  name,
  detail: state === 'alert' || state === 'offline' ? `${host} · ${serverStates[state].word}` : host,
  words: host,
});

/** Keeps the order of the server: the best match of each kind comes first. */
export const toEntities = ({ sites, servers, groups, plugins, zones }: SearchResults): Entity[] => [
  ...sites.map(siteEntity),
  ...servers.map(serverEntity),
  ...groups.map(({ id, name, parent }) => ({
    kind: 'group' as const,
    id,
    name,
    detail: parent === null ? '' : `dans ${parent}`,
    words: '',
  })),
  ...plugins.map(({ slug, name }) => ({ kind: 'plugin' as const, id: slug, name, detail: slug, words: slug })),
  ...zones.map(({ ref, config_name: configName, name, display_name: displayName }) => ({
    kind: 'zone' as const,
    id: ref,
    name: displayName,
    detail: [...(displayName === name ? [] : [name]), ...(configName === null ? [] : [configName])].join(' · '),
    words: name,
  })),
];
