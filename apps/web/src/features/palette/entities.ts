import type { SearchResults } from '@vigie/contracts/search';
import { z } from 'zod';

const kinds = ['site', 'server', 'group', 'plugin', 'zone'] as const;
export type Kind = (typeof kinds)[number];

/** Something that has a name, and a page that it is opened on. */
export const Entity = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  name: z.string(),
  /** What tells it from another of the same name. */
  detail: z.string(),
  /** Other texts that it was found by. */
  words: z.string(),
});
export type Entity = z.infer<typeof Entity>;

/** The best of each kind first. */
export const entitiesOf = ({ sites, servers, groups, plugins, zones }: SearchResults): Entity[] => [
  ...sites.map(({ id, name, url }) => ({
    kind: 'site' as const,
    id,
    name,
    detail: url.replace(/^https?:\/\//, ''),
    words: url,
  })),
  ...servers.map(({ id, name, host }) => ({ kind: 'server' as const, id, name, detail: host, words: host })),
  ...groups.map(({ id, name, parent }) => ({
    kind: 'group' as const,
    id,
    name,
    detail: parent === null ? '' : `dans ${parent}`,
    words: '',
  })),
  ...plugins.map(({ slug, name }) => ({ kind: 'plugin' as const, id: slug, name, detail: slug, words: slug })),
  ...zones.map(({ ref, config_name: by, name, display_name: display }) => ({
    kind: 'zone' as const,
    id: ref,
    name: display,
    detail: [...(display === name ? [] : [name]), ...(by === null ? [] : [by])].join(' · '),
    words: name,
  })),
];
