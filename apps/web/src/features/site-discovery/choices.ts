import { type Discovery, importSites } from '@vigie/contracts/site-discovery';

export type Found = Discovery['items'][number];
/** A site that was found, as somebody wants it. */
export type Choice = { found: Found; isChosen: boolean; name: string; url: string };

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '');

/** The title of a site is rarely empty, its address never lies; a folder is what is left. */
const nameOf = ({ title, url, path }: Found): string =>
  (title?.trim() || hostOf(url ?? '') || path.split('/').at(-1) || path).slice(0, 100);

/** All that are not known yet are wanted, unless their address could not be read. */
export const choicesOf = (items: readonly Found[]): Choice[] =>
  items.map((found) => ({
    found,
    isChosen: found.site_id === null && found.url !== null,
    name: nameOf(found),
    url: found.url ?? '',
  }));

/** What somebody changed, by the path of the site. */
export type Edits = Readonly<Record<string, Partial<Choice>>>;
/** What was imported since the search, by its path. */
export type Made = Readonly<Record<string, string>>;

const editable = ['isChosen', 'name', 'url'] as const;

/** As it was found, with what was changed and made since: before a search, or after it. */
export const editedOf = (items: readonly Found[], edits: Edits, made: Made): Choice[] =>
  choicesOf(items.map((found) => ({ ...found, site_id: found.site_id ?? made[found.path] ?? null }))).map((choice) =>
    choice.found.site_id === null ? { ...choice, ...edits[choice.found.path] } : choice,
  );

/** What is back to what was found is no edit. */
export function editsWith(edits: Edits, items: readonly Found[], changes: Edits): Edits {
  const next = { ...edits };
  for (const choice of choicesOf(items)) {
    const { path } = choice.found;
    if (!changes[path]) continue;
    const edit = { ...edits[path], ...changes[path] };
    const differing = editable.filter((field) => field in edit && edit[field] !== choice[field]);
    if (differing.length > 0) next[path] = Object.fromEntries(differing.map((field) => [field, edit[field]]));
    else delete next[path];
  }
  return next;
}

export type Faults = { name?: string | undefined; url?: string | undefined };

const Item = importSites.input.shape.items.element;

/** What is wrong with a line that is chosen. */
export function faultsOf({ found, name, url, isChosen }: Choice): Faults {
  if (!isChosen) return {};
  const issues = Item.safeParse({ path: found.path, name, url }).error?.issues ?? [];
  const faultOf = (field: keyof Faults) => {
    const message = issues.find(({ path }) => path[0] === field)?.message;
    return message !== undefined && (field === 'name' ? name : url).trim() === '' ? 'À renseigner.' : message;
  };
  return { name: faultOf('name'), url: faultOf('url') };
}

export const isFaulty = (choice: Choice): boolean => Object.values(faultsOf(choice)).some(Boolean);
