import { type Discovery, importSites } from '@vigie/contracts/site-discovery';
import { emptyErrors, firstErrors, schemaErrors } from '../../kit/form/errors';

export type DiscoveredSite = Discovery['items'][number];
/** A discovered site, with the name and URL to import it under. */
export type ImportChoice = { site: DiscoveredSite; isChosen: boolean; name: string; url: string };

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '');

/** Takes the title, else the host, else the folder. */
const suggestName = ({ title, url, path }: DiscoveredSite): string =>
  (title?.trim() || hostOf(url ?? '') || path.split('/').at(-1) || path).slice(0, 100);

/** Chooses every new site whose URL could be read. */
export const choicesOf = (items: readonly DiscoveredSite[]): ImportChoice[] =>
  items.map((site) => ({
    site,
    isChosen: site.site_id === null && site.url !== null,
    name: suggestName(site),
    url: site.url ?? '',
  }));

/** The user's edits, by the path of the site. */
export type Edits = Readonly<Record<string, Partial<ImportChoice>>>;
/** The ids of the sites imported since the search, by their path. */
export type ImportedIds = Readonly<Record<string, string>>;

const editable = ['isChosen', 'name', 'url'] as const;

/** Applies the edits and imports to the result of a search. */
export const choicesWithEdits = (
  items: readonly DiscoveredSite[],
  edits: Edits,
  importedIds: ImportedIds,
): ImportChoice[] =>
  choicesOf(items.map((site) => ({ ...site, site_id: site.site_id ?? importedIds[site.path] ?? null }))).map(
    (choice) => (choice.site.site_id === null ? { ...choice, ...edits[choice.site.path] } : choice),
  );

/** Drops an edit that is back to the discovered value. */
export function mergeEdits(edits: Edits, items: readonly DiscoveredSite[], changes: Edits): Edits {
  const next = { ...edits };
  for (const choice of choicesOf(items)) {
    const { path } = choice.site;
    if (!changes[path]) continue;
    const edit = { ...edits[path], ...changes[path] };
    const changedFields = editable.filter((field) => field in edit && edit[field] !== choice[field]);
    if (changedFields.length > 0) next[path] = Object.fromEntries(changedFields.map((field) => [field, edit[field]]));
    else delete next[path];
  }
  return next;
}

export type ImportErrors = { name?: string | undefined; url?: string | undefined };

const Item = importSites.input.shape.items.element;

/** The errors of a chosen site. */
export function errorsOf({ site, isChosen, ...typed }: ImportChoice): ImportErrors {
  if (!isChosen) return {};
  const refusals = schemaErrors(Item, typed, { path: site.path, ...typed });
  const { name, url } = firstErrors<typeof typed>(emptyErrors(typed, ['name', 'url']), refusals);
  return { name, url };
}

export const hasErrors = (choice: ImportChoice): boolean => Object.values(errorsOf(choice)).some(Boolean);
