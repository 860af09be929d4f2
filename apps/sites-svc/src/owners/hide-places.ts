/** A folder from the root of a host on, which is no address of a page: those have their host before them. */
const rooted = /(?<![\p{L}\d_/:.…-])(?:\/[^\s/:,;()«»"'<>]+){2,}/gu;

/** What stays of such a folder: the part that belongs to WordPress, or the name of the file. */
function shorten(path: string): string {
  const [, inside] = /\/(wp-(?:content|includes|admin)\/.*)$/.exec(path) ?? [];
  const [, file] = /\/([^/]+\.\w+)$/.exec(path) ?? [];
  const end = path.endsWith('.') ? '.' : '';
  return inside ?? file ?? `…${end}`;
}

const minNameLength = 4;

/** Leaves the folders of a host out of a text, and these names of the host: a grant shows neither. */
export function hidePlaces(text: string, names: readonly string[]): string {
  const known = names.filter(({ length }) => length >= minNameLength).toSorted((a, b) => b.length - a.length);
  return known.reduce((rest, name) => rest.replaceAll(name, '…'), text.replaceAll(rooted, shorten));
}

/** Values that tell how a site is reached and as whom, by their names in the results of work. */
const hidden: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['host_key', null],
  ['content_dir', null],
  ['owner', null],
  ['aside_folder', null],
  ['remedy', null],
  ['command', ''],
  ['stdout', ''],
  ['stderr', ''],
]);

/** Leaves the same out of what is known of a site or came of work on it. */
export const hidePlacesIn = <T extends object>(value: T, names: readonly string[]): T => seen(value, names) as T;

function seen(value: unknown, names: readonly string[]): unknown {
  if (typeof value === 'string') return hidePlaces(value, names);
  if (Array.isArray(value)) return value.map((item) => seen(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const isStep = 'step' in value && 'state' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (hidden.has(name)) return [name, hidden.get(name)];
      // A folder that is no folder any more would not pass as one.
      if (name === 'path' && typeof part === 'string' && part.startsWith('/')) return [name, null];
      // A step that went well says as whom and where.
      if (name === 'message' && isStep && value.state === 'ok') return [name, ''];
      return [name, seen(part, names)];
    }),
  );
}
