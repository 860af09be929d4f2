import { foldTextSql } from '@vigie/service-kit/search';
import type { NamedTokenKey } from '@vigie/contracts/site-search';
import { allOwners } from '../owners/owner-filter';

type Named = {
  /** SQL for the rows that have a name, and whose they are. */
  from: string;
  id: string;
  /** What a search may write in full. */
  names: readonly string[];
  /** What it may write a part of. */
  text: string;
  /** What a search for one row writes, and which of them come first. */
  label: string;
  order: string;
};

const owned = (table: string) => `${table} n where ($1::uuid is null or n.owner_id = $1)`;

/** The things that a search names; `$1` is their owner, null for all. All texts are folded as `foldText` does. */
export const namedThings: Readonly<Record<NamedTokenKey, Named>> = {
  groupe: {
    from: owned('groups'),
    id: 'n.id',
    names: ['n.search_text'],
    text: 'n.search_text',
    label: 'n.name',
    order: 'n.name',
  },
  serveur: {
    from: owned('servers'),
    id: 'n.id',
    names: [foldTextSql('n.name'), 'lower(n.host)'],
    text: 'n.search_text',
    label: 'n.name',
    order: 'n.name',
  },
  plugin: {
    from: `plugin_totals n where n.owner_id = coalesce($1::uuid, '${allOwners}') and n.sites_count > 0`,
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
    from ${from} and strpos(${text}, ${name}) > 0) w where w.is_whole or not w.has_whole`;
}
