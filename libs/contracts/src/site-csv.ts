import { z } from 'zod';
import { contract } from './contract';
import { largeBody } from './routes';
import { listSiteIds, SiteStatus } from './sites';
import { id, timestamp } from './text';

/** A site as a line of the exported file. The address is the one that Vigie connects to. */
export const SiteExportLine = z.object({
  name: z.string(),
  url: z.string(),
  /** Written by `writeGroupPaths`. */
  groups: z.string(),
  server: z.string().nullable(),
  host: z.string().nullable(),
  port: z.int().nullable(),
  user: z.string().nullable(),
  path: z.string().nullable(),
  status: SiteStatus,
  reasons: z.array(z.string()),
  http: z.int().nullable(),
  wordpress: z.string().nullable(),
  php: z.string().nullable(),
  updates: z.int().nullable(),
  last_backup_at: timestamp.nullable(),
  read_at: timestamp.nullable(),
});
export type SiteExportLine = z.infer<typeof SiteExportLine>;

const ExportCursor = z.object({ name: z.string().max(100), site_id: id });

const exported = {
  access: 'user',
  scope: 'read',
  answer: { custom: z.string() },
  output: z.object({ lines: z.array(SiteExportLine), next: ExportCursor.nullable() }),
  timeoutMs: 15_000,
} as const;

/** Exports the sites of a filter, by name and in pages; the next page begins after `next`. */
export const exportSites = contract('sites.site-csv.export', {
  grantRole: 'viewer',
  ...exported,
  http: 'GET /api/sites/export',
  input: listSiteIds.input.omit({ sort: true, limit: true, offset: true }).extend({ after: ExportCursor.optional() }),
});

/** Exports these sites in the same way: their ids do not fit into an address. */
export const exportChosenSites = contract('sites.site-csv.export_chosen', {
  grantRole: 'viewer',
  ...exported,
  http: 'POST /api/sites/export',
  input: z.object({
    ids: z
      .array(id)
      .min(1, 'Choisissez au moins un site.')
      .max(500, 'Exportez 500 sites choisis au plus, ou tous ceux d’un filtre.'),
    after: ExportCursor.optional(),
  }),
});

/** In characters, for each cell. */
export const maxCell = 5_000;
/** The most lines of one request. */
export const maxLines = 100;

const cell = z.string().max(maxCell, `Une case ne peut pas dépasser ${maxCell} caractères.`).default('');

/** A line of an imported file, as it was typed. `line` is its number in a spreadsheet. */
export const SiteCsvLine = z.object({
  line: z.int().min(1).max(1_000_000),
  name: cell,
  url: cell,
  groups: cell,
  server: cell,
  host: cell,
  port: cell,
  user: cell,
  path: cell,
});
export type SiteCsvLine = z.infer<typeof SiteCsvLine>;

const lines = z
  .array(SiteCsvLine)
  .min(1, 'Ce fichier n’a aucun site.')
  .max(maxLines, `Envoyez ${maxLines} lignes au plus à la fois.`);

/** What would become of a line. */
export const SiteCsvVerdict = z.object({
  line: z.int(),
  state: z.enum(['new', 'known', 'refused']),
  /** Why the line is not new. */
  reason: z.string().nullable(),
  /** The registered site, when the caller has it already. */
  site_id: id.nullable(),
  /** The server whose access the site would use. */
  server: z.object({ id, name: z.string() }).nullable(),
  /** Up to ten groups that the site would be put into. */
  groups: z.array(z.object({ path: z.string(), is_new: z.boolean() })),
  /** Digests that other lines about the same site share; empty for a refused line. */
  place: z.object({ path: z.string().nullable(), url: z.string() }),
});
export type SiteCsvVerdict = z.infer<typeof SiteCsvVerdict>;

/** Says what would become of each line, and writes nothing. */
export const previewSiteCsv = contract('sites.site-csv.preview', {
  http: 'POST /api/sites/csv/preview',
  access: 'user',
  scope: 'update',
  bodyLimit: largeBody,
  input: z.object({ lines }),
  output: z.object({ items: z.array(SiteCsvVerdict) }),
  timeoutMs: 15_000,
});

/** Registers the sites of these lines with the groups that are missing, and leaves out those that it must not register. */
export const importSiteCsv = contract('sites.site-csv.import', {
  http: 'POST /api/sites/csv',
  access: 'user',
  scope: 'update',
  status: 201,
  bodyLimit: largeBody,
  changes: ['sites', 'groups', 'servers'],
  input: z.object({ lines }),
  output: z.object({
    items: z.array(z.object({ line: z.int(), id, name: z.string(), server_id: id.nullable() })),
    skipped: z.array(z.object({ line: z.int(), site_id: id })),
    refused: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
  timeoutMs: 25_000,
});

/** Remembers the places of sites, and finds the one that is at the same place. */
export class KnownPlaces<T> {
  private readonly byPath = new Map<string, T>();
  private readonly byUrl = new Map<string, { value: T; hasPath: boolean }>();

  add({ path, url }: SiteCsvVerdict['place'], value: T): void {
    if (path !== null && !this.byPath.has(path)) this.byPath.set(path, value);
    // A site without a folder is found by its address, so it says more than one with a folder.
    const earlier = this.byUrl.get(url);
    if (!earlier || (earlier.hasPath && path === null)) this.byUrl.set(url, { value, hasPath: path !== null });
  }

  /** Two folders of one host are two sites, even at one address; without a folder, the address decides. */
  find({ path, url }: SiteCsvVerdict['place']): T | undefined {
    const atUrl = this.byUrl.get(url);
    if (path === null) return atUrl?.value;
    return this.byPath.get(path) ?? (atUrl && !atUrl.hasPath ? atUrl.value : undefined);
  }
}
