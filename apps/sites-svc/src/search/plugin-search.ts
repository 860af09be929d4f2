import { foldTextSql, type hasWords, rankOf } from '@vigie/service-kit/search';
import { inShared } from '../owners/reach';
import { reachedPlugins } from '../sites/names';

const text = foldTextSql("(n.name || ' ' || n.slug)");

/** Searches the totals: hundreds of thousands of extensions are a few thousand plugins. `$4` is the caller. */
export const pluginSearchSql = (matches: typeof hasWords) => `
  select n.slug, n.name from ${reachedPlugins('$4', inShared.sites)} and ${matches(text)}
  order by ${rankOf(text)}, n.name, n.slug limit $5`;
