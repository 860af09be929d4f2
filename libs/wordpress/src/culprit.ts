import type { SiteProblem } from '@vigie/contracts/inventory';

type Places = {
  /** The site's own folder, and where its links lead. */
  roots: readonly string[];
  content: string | null;
};

const folders = [
  ['plugins', 'plugin'],
  ['themes', 'theme'],
  ['mu-plugins', 'must_use'],
] as const;

/** Below the site's folder where the file lies there. */
export function shortPath(file: string, { roots }: Pick<Places, 'roots'>): string {
  const root = roots.find((folder) => folder !== '' && file.startsWith(`${folder}/`));
  return root === undefined ? file : file.slice(root.length + 1);
}

/** Whose code a file is, by where it lies. */
export function culpritOf(file: string, places: Places): SiteProblem['culprit'] {
  const contents = [places.content, ...places.roots.map((root) => `${root}/wp-content`)];
  const content = contents.find((folder) => folder && file.startsWith(`${folder}/`));
  if (!content) return isCore(shortPath(file, places)) ? { type: 'core', slug: 'wordpress' } : null;
  const [folder = '', name = '', ...rest] = file.slice(content.length + 1).split('/');
  if (name === '') return { type: 'drop_in', slug: nameOf(folder) };
  const type = folders.find(([known]) => known === folder)?.[1];
  if (type === undefined) return null;
  return { type, slug: rest.length > 0 ? name.slice(0, 191) : nameOf(name) };
}

const nameOf = (file: string) => file.replace(/\.php$/, '').slice(0, 191);

const isCore = (path: string) => /^(?:wp-includes|wp-admin)\//.test(path) || /^wp-[a-z-]+\.php$/.test(path);
