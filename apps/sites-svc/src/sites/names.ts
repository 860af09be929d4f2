import { isNarrowed } from '@vigie/service-kit/context';
import { foldTextSql } from '@vigie/service-kit/search';
import type { NamedTokenKey } from '@vigie/contracts/site-search';
import { isPlugin } from '../items/installed-items';
import { allOwners } from '../owners/owner-filter';
import { reachesGroup, reachingParts, sharedRole } from '../owners/reach';

type Named = {
  /** SQL for the rows that have a name, and whose they are. */
  from: () => string;
  id: string;
  /** What a search may write in full. */
  names: readonly string[];
  /** What it may write a part of. */
  text: string;
  /** What a search for one row writes, and which of them come first. */
  label: string;
  order: string;
};

/** SQL: a look-up of each plugin, where `exists` would read the plugins of all sites first. */
const isOnSite = (condition: string) =>
  `coalesce((select true from site_extensions x where ${isPlugin('x')} and x.slug = n.slug and ${condition} limit 1), false)`;

/**
 * SQL for the plugins `n` of the sites that the caller reaches; this parameter is the caller, or null for everybody.
 * Totals are stored for each owner: what is shared besides is looked for among the plugins of its sites.
 */
export const reachedPlugins = (caller: string, shared?: string) =>
  sharedRole()
    ? `plugin_totals n where n.owner_id = '${allOwners}'
         and (${reachingParts('x', caller, shared).map(isOnSite).join(' or ')})`
    : `plugin_totals n where n.owner_id = coalesce(${caller}::uuid, '${allOwners}') and n.sites_count > 0`;

/** The things that a search names; `$1` is their owner, null for all. All texts are folded as `foldText` does. */
export const namedThings: Readonly<Record<NamedTokenKey, Named>> = {
  groupe: {
    from: () => `groups n where ${reachesGroup('n', '$1')}`,
    id: 'n.id',
    names: ['n.search_text'],
    text: 'n.search_text',
    label: 'n.name',
    order: 'n.name',
  },
  serveur: {
    from: () => `servers n where ($1::uuid is null or n.owner_id = $1) and ${!isNarrowed()}`,
    id: 'n.id',
    names: [foldTextSql('n.name'), 'lower(n.host)'],
    text: 'n.search_text',
    label: 'n.name',
    order: 'n.name',
  },
  plugin: {
    from: () => reachedPlugins('$1'),
    id: 'n.slug',
    names: ['lower(n.slug)'],
    text: foldTextSql("(n.name || ' ' || n.slug)"),
    label: 'n.slug',
    order: 'n.sites_count desc, n.slug',
  },
};

/**
 * SQL for the ids of the things with the name in this parameter, or else of those whose name holds it: a name that is
 * whole means itself, although another may begin like it. `$1` is their owner, null for all.
 */
export function idsNamed(key: NamedTokenKey, name: string): string {
  const { from, id, names, text } = namedThings[key];
  const isWhole = `${name} in (${names.join(', ')})`;
  return `select w.id from (
    select ${id} as id, ${isWhole} as is_whole, bool_or(${isWhole}) over () as has_whole
    from ${from()} and strpos(${text}, ${name}) > 0) w where w.is_whole or not w.has_whole`;
}
