import { hasWords, plainSql, rankOf } from '@vigie/service-kit/search';
import { everybody } from '../plugins/reach';

const text = plainSql("(t.name || ' ' || t.slug)");

/** Of the totals: hundreds of thousands of extensions are some thousand plugins. `$4` is whoever looks, or null for all. */
export const foundPlugins = `
  select t.slug, t.name from plugin_totals t
  where t.owner_id = coalesce($4::uuid, '${everybody}') and t.sites_count > 0 and ${hasWords(text)}
  order by ${rankOf(text)}, t.name, t.slug limit $5`;
