import type { SiteProblem } from '@vigie/contracts/inventory';

type SiteFolders = {
  /** The site's folder, and the real folders behind its links. */
  roots: readonly string[];
  content: string | null;
};

const codeFolders = [
  ['plugins', 'plugin'],
  ['themes', 'theme'],
  ['mu-plugins', 'must_use'],
] as const;

/** The path relative to the site, where the file lies in it. */
export function shortPath(file: string, { roots }: Pick<SiteFolders, 'roots'>): string {
  const root = roots.find((folder) => folder !== '' && file.startsWith(`${folder}/`));
  return root === undefined ? file : file.slice(root.length + 1);
}

/** Finds the plugin, theme or core that a file belongs to, by its path. */
export function culpritOf(file: string, siteFolders: SiteFolders): SiteProblem['culprit'] {
  const contents = [siteFolders.content, ...siteFolders.roots.map((root) => `${root}/wp-content`)];
  const content = contents.find((folder) => folder && file.startsWith(`${folder}/`));
  if (!content) return isCore(shortPath(file, siteFolders)) ? { type: 'core', slug: 'wordpress' } : null;
  const [folder = '', name = '', ...rest] = file.slice(content.length + 1).split('/');
  if (name === '') return { type: 'drop_in', slug: nameOf(folder) };
  const type = codeFolders.find(([folderName]) => folderName === folder)?.[1];
  if (type === undefined) return null;
  return { type, slug: rest.length > 0 ? name.slice(0, 191) : nameOf(name) };
}

const nameOf = (file: string) => file.replace(/\.php$/, '').slice(0, 191);

const isCore = (path: string) => /^(?:wp-includes|wp-admin)\//.test(path) || /^wp-[a-z-]+\.php$/.test(path);
