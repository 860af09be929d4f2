import { z } from 'zod';
import { contract } from './contract';
import { SiteStatus, siteQuery, siteSorts } from './sites';
import { id, oneOf, requiredLine } from './text';

/** Optional columns of the list of sites; name, selection and actions are always shown. */
export const siteColumns = [
  'url',
  'groups',
  'server',
  'status',
  'http',
  'uptime',
  'updates',
  'wp_version',
  'php_version',
  'backup',
  'read',
] as const;
export type SiteColumn = (typeof siteColumns)[number];

export const maxSiteViews = 50;

const columns = z
  .array(oneOf(siteColumns))
  .max(siteColumns.length)
  .transform((names) => siteColumns.filter((name) => names.includes(name)));

/** The saved filters; the group or server may have been deleted since. */
const viewFields = {
  q: siteQuery.default(''),
  group_id: id.nullable().default(null),
  server_id: id.nullable().default(null),
  status: oneOf(SiteStatus.options).nullable().default(null),
  sort: oneOf(siteSorts).default('name'),
  columns,
};
const name = requiredLine('Renseignez un nom.', 60);

/** A named search of one user, with its filters, order and columns. */
export const SiteView = z.object({
  id,
  name: z.string(),
  q: z.string(),
  group_id: id.nullable(),
  server_id: id.nullable(),
  status: SiteStatus.nullable(),
  sort: z.enum(siteSorts),
  columns: z.array(z.enum(siteColumns)),
});
export type SiteView = z.infer<typeof SiteView>;

/** Lists the caller's own views by name. */
export const listSiteViews = contract('sites.site_views.list', {
  http: 'GET /api/site-views',
  access: 'user',
  scope: 'read',
  reads: ['site-views'],
  input: z.object({}),
  output: z.array(SiteView),
});

export const createSiteView = contract('sites.site_views.create', {
  http: 'POST /api/site-views',
  access: 'user',
  scope: 'update',
  status: 201,
  changes: ['site-views'],
  input: z.object({ name, ...viewFields }),
  output: SiteView,
});

/** Renames a view or replaces its filters; an absent field stays unchanged. */
export const editSiteView = contract('sites.site_views.edit', {
  http: 'PUT /api/site-views/:id',
  access: 'user',
  scope: 'update',
  changes: ['site-views'],
  input: z.object({ id, name: name.optional(), shown: z.object(viewFields).optional() }),
  output: SiteView,
});

export const deleteSiteView = contract('sites.site_views.delete', {
  http: 'DELETE /api/site-views/:id',
  access: 'user',
  scope: 'update',
  changes: ['site-views'],
  input: z.object({ id }),
  output: z.object({}),
});
