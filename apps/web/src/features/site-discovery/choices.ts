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
