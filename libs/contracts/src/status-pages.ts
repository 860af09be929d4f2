import { z } from 'zod';
import { contract } from './contract';
import { id, requiredLine, timestamp } from './text';

/** The public page of a group at a secret address, which is shown once and stored only as a hash. */
export const StatusPage = z.object({
  title: z.string(),
  /** Whether the page lists past outages; without them it shows the bars alone. */
  shows_incidents: z.boolean(),
  created_at: timestamp,
  /** The person who published it. */
  created_by: z.string(),
});
export type StatusPage = z.infer<typeof StatusPage>;

export const maxTitleLength = 100;

/** Whether a group has a public page, and which. */
export const readStatusPage = contract('sites.status_pages.read', {
  http: 'GET /api/groups/:id/status-page',
  access: 'user',
  scope: 'read',
  reads: ['status-pages'],
  input: z.object({ id }),
  output: z.object({ page: StatusPage.nullable() }),
});

/** Publishes the page of a group, or edits it. Only the answer that publishes it holds the secret. */
export const saveStatusPage = contract('sites.status_pages.save', {
  http: 'PUT /api/groups/:id/status-page',
  access: 'fresh',
  changes: ['status-pages', 'activity'],
  input: z.object({
    id,
    title: requiredLine('Donnez un titre à la page.', maxTitleLength),
    shows_incidents: z.boolean(),
  }),
  output: z.object({ page: StatusPage, secret: z.string().nullable() }),
  sealedAnswer: ['secret'],
});

/** Gives the page another address. The former one is dead at once. */
export const renewStatusPage = contract('sites.status_pages.renew', {
  http: 'POST /api/groups/:id/status-page/renew',
  access: 'fresh',
  changes: ['status-pages', 'activity'],
  input: z.object({ id }),
  output: z.object({ page: StatusPage, secret: z.string() }),
  sealedAnswer: ['secret'],
});

export const deleteStatusPage = contract('sites.status_pages.delete', {
  http: 'DELETE /api/groups/:id/status-page',
  access: 'fresh',
  changes: ['status-pages', 'activity'],
  input: z.object({ id }),
  output: z.object({}),
});

/** `maintenance`: somebody is working on the site. `unknown`: nobody checked it lately, or the check says nothing. */
export const PublicState = z.enum(['up', 'down', 'maintenance', 'unknown']);
export type PublicState = z.infer<typeof PublicState>;

/** How many sites a page shows; its state is that of all of them. */
export const maxShownSites = 200;
export const maxShownOutages = 100;
export const shownDays = 90;

/** In percent; null where nothing was checked. */
const percent = z.number().min(0).max(100).nullable();

const PublicSite = z.object({
  /** The host name of its address, never its name in Vigie. */
  name: z.string(),
  state: PublicState,
  uptime: z.object({ day: percent, month: percent, quarter: percent }),
  /** Of each day of UTC, today last. */
  days: z.array(percent).length(shownDays),
});
export type PublicSite = z.infer<typeof PublicSite>;

const PublicOutage = z.object({
  sites: z.array(z.string()).min(1),
  from: timestamp,
  /** Null while it lasts. */
  to: timestamp.nullable(),
});
export type PublicOutage = z.infer<typeof PublicOutage>;

/** What anybody who has the address reads: no name, place, person or id of Vigie. */
export const PublicStatus = z.object({
  title: z.string(),
  state: PublicState,
  /** Vigie's own network is cut, so it knows nothing. */
  is_cut: z.boolean(),
  generated_at: timestamp,
  /** How many sites are in each state, those that are not shown included. */
  counts: z.object({ up: z.int(), down: z.int(), maintenance: z.int(), unknown: z.int() }),
  /** By name. */
  sites: z.array(PublicSite).max(maxShownSites),
  /** Those that last first, then the newest. Null where the page shows none. */
  outages: z.array(PublicOutage).max(maxShownOutages).nullable(),
});
export type PublicStatus = z.infer<typeof PublicStatus>;

/** The only call that needs nothing but the secret of the address. Any text is read: one that opens nothing is a 404. */
export const viewStatusPage = contract('sites.status_pages.view', {
  http: 'GET /api/etat/:secret',
  access: 'public',
  input: z.object({ secret: z.string() }),
  output: PublicStatus,
  sealed: { reader: 'sites-svc', fields: ['secret'] },
});
