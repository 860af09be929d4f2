import { hasWords, plainSql, rankOf } from '@vigie/service-kit/search';

const text = plainSql("(name || ' ' || slug)");

/**
 * From one slug to the next by the index, since most of three hundred thousand rows are of the same few plugins; and of
 * those that match, in their order, only as many are looked for among the caller's sites as are shown.
 */
export const foundPlugins = `
  with recursive slugs (slug) as (
    (select slug from site_extensions where type = 'plugin' order by slug limit 1)
    union all
    select (select e.slug from site_extensions e where e.type = 'plugin' and e.slug > s.slug order by e.slug limit 1)
    from slugs s where s.slug is not null
  ), named as (
    select s.slug, n.name from slugs s
    cross join lateral (select name from site_extensions e where e.type = 'plugin' and e.slug = s.slug limit 1) n
  ), matching as materialized (
    select slug, name from named where ${hasWords(text)} order by ${rankOf(text)}, name, slug
  )
  select m.slug, m.name from matching m
  where $4::uuid is null or exists (
    select from site_extensions e join sites s on s.id = e.site_id
    where e.type = 'plugin' and e.slug = m.slug and s.owner_id = $4)
  limit $5`;
