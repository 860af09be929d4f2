import type { SearchResults } from '@vigie/contracts/search';
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
});
export type Entity = z.infer<typeof Entity>;

/** Keeps the order of the server: the best match of each kind comes first. */
export const toEntities = ({ sites, servers, groups, plugins, zones }: SearchResults): Entity[] => [
  ...sites.map(({ id, name, url }) => ({
    kind: 'site' as const,
    id,
    name,
    detail: url.replace(/^https?:\/\//, ''),
    words: url,
  })),
  ...servers.map(({ id, name, host, state }) => ({
    kind: 'server' as const,
    id,
    name,
    detail: state === 'alert' || state === 'offline' ? `${host} · ${serverStates[state].word}` : host,
    words: host,
  })),
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
