import { z } from 'zod';
import { contract } from './contract';
import { siteUrl } from './site-address';
import { id, optionalLine } from './text';

/** What a site showed: `text_missing` and `other_redirect` name the rule that failed. */
export const ContentFinding = z.enum(['as_expected', 'text_missing', 'other_redirect']);
export type ContentFinding = z.infer<typeof ContentFinding>;

/** What a visitor must see: a text of the page, and the address to which the site leads. */
export const ShownContent = z.object({ expected_text: z.string().nullable(), redirects_to: z.string().nullable() });
export type ShownContent = z.infer<typeof ShownContent>;

export const SiteCheckRules = ShownContent.extend({
  /** What the last visit found; null before the first one by these rules, and where it could not be told. */
  found: ContentFinding.nullable(),
});
export type SiteCheckRules = z.infer<typeof SiteCheckRules>;

export const maxExpectedText = 200;

const address = siteUrl('Donnez l’adresse d’arrivée.').nullable();

/** An empty address is none. */
const redirectsTo = z
  .string()
  .transform((value) => value.trim() || null)
  .pipe(address);

export const readSiteCheckRules = contract('sites.site-check-rules.read', {
  http: 'GET /api/sites/:id/checks',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites', 'uptime'],
  input: z.object({ id }),
  output: SiteCheckRules,
});

/** An open incident about the rules before is closed: visits count from the start by the new ones. */
export const saveSiteCheckRules = contract('sites.site-check-rules.save', {
  http: 'PUT /api/sites/:id/checks',
  access: 'user',
  scope: 'run',
  grantRole: 'manager',
  changes: ['sites', 'uptime', 'incidents', 'activity'],
  input: z.object({
    id,
    expected_text: optionalLine(maxExpectedText).nullable(),
    redirects_to: redirectsTo.nullable(),
  }),
  output: SiteCheckRules,
});

/** The address without its query, and without a slash at its end: neither leads to another page, nor does `%d0` for `%D0`. */
export function plainAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  const path = pathname.replaceAll(/%[\da-f]{2}/gi, (escaped) => escaped.toUpperCase());
  return `${origin}${path.replace(/\/+$/, '')}`;
}
