import { foldTextSql, type hasWords, rankOf } from '@vigie/service-kit/search';
import { allOwners } from '../owners/owner-filter';

const text = foldTextSql("(t.name || ' ' || t.slug)");

/** Searches the totals: hundreds of thousands of extensions are a few thousand plugins. `$4` is the owner, null for all. */
export const pluginSearchSql = (matches: typeof hasWords) => `
  select t.slug, t.name from plugin_totals t
  where t.owner_id = coalesce($4::uuid, '${allOwners}') and t.sites_count > 0 and ${matches(text)}
  order by ${rankOf(text)}, t.name, t.slug limit $5`;
