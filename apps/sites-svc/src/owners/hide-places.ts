/** Stands for a name that was found, until the rest of its folder is. */
const mark = '\uE000';
const part = `(?:[^\\s/:,;()«»"'<>${mark}]|'(?=\\p{L}))+`;

/** A folder from the root of a host on, or from a name of the site. The addresses of pages have a scheme before them. */
const rooted = new RegExp(`${mark}(?:/+${part})*|(?<![\\p{L}\\d_./…-])(?!(?<=:)//)(?:/+${part}){2,}`, 'gu');

const fileName =
  /\/([^/]*\.(?:php|phar|inc|log|sql|zip|gz|tar|wpress|json|js|css|html?|txt|ini|cnf|conf|xml|sock|htaccess|maintenance))$/i;

/** What stays of a folder: the part that belongs to WordPress, or the name of the file. */
function shorten(folder: string): string {
  const path = folder.replace(/\.+$/, '');
  const [, inside] = /\/(wp-(?:content|includes|admin)(?:\/.*)?)$/.exec(path) ?? [];
  const [, file] = fileName.exec(path) ?? [];
  return `${inside ?? file ?? '…'}${folder.slice(path.length)}`;
}

const minNameLength = 3;

/** A name where it stands alone, and not in an address or as a part of another name. */
const wordOf = (name: string) =>
  new RegExp(
    `(?<![\\p{L}\\d_./-])${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\\p{L}\\d_-]|\\.[\\p{L}\\d])`,
    'gu',
  );

type Hide = (text: string) => string;

/** Reads the names once for all texts. The longest comes first, because another one may be a part of it. */
function hideNames(names: readonly string[]): Hide {
  const known = names.filter(({ length }) => length >= minNameLength).toSorted((a, b) => b.length - a.length);
  const words = known.map(wordOf);
  return (text) => words.reduce((rest, word) => rest.replaceAll(word, mark), text).replaceAll(rooted, shorten);
}

/** Leaves the folders of a host out of a text, and these names: of the host, of the site's folder and of the account. */
export const hidePlaces = (text: string, names: readonly string[]): string => hideNames(names)(text);

/** Values that tell how a site is reached and as whom, by their names in the results of work. */
const hidden: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['host_key', null],
  ['content_dir', null],
  ['owner', null],
  ['aside_folder', null],
  ['remedy', null],
  ['command', ''],
]);

/** What names no place, and is compared or opened by others. */
const kept: ReadonlySet<string> = new Set(['slug', 'parent', 'url', 'home_url', 'repair', 'filename']);

/** Leaves the same out of what is known of a site or came of work on it. */
export const hidePlacesIn = <T extends object>(value: T, names: readonly string[]): T =>
  hideIn(value, hideNames(names)) as T;

function hideIn(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide));
  if (typeof value !== 'object' || value === null) return value;
  const isStepDone = 'step' in value && 'state' in value && value.state === 'ok';
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (kept.has(name)) return [name, each];
      if (hidden.has(name)) return [name, hidden.get(name)];
      // The folder of the site, which stands beside the key of its host.
      if (name === 'path' && 'host_key' in value) return [name, null];
      // A step that went well says as whom and where.
      if (name === 'message' && isStepDone) return [name, ''];
      return [name, hideIn(each, hide)];
    }),
  );
}
