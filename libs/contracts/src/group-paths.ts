/** How groups are written in a cell: `Clients › Bretagne | Boutiques`. A backslash keeps a sign that belongs to a name. */
const escape = (name: string) => name.replaceAll(/[\\|›>]/g, String.raw`\$&`);

export const writeGroupPaths = (paths: readonly (readonly string[])[]): string =>
  paths.map((path) => path.map(escape).join(' › ')).join(' | ');

/** Splits at the signs that no backslash keeps. */
function split(text: string, signs: string): string[] {
  const parts = text.match(new RegExp(String.raw`(?:\\[^]?|[^\\${signs}])+`, 'g')) ?? [];
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The names of each group and of those above it, from the top; `>` is easier to type than `›`. */
export const readGroupPaths = (text: string): string[][] =>
  split(text, '|').map((path) => split(path, '›>').map((name) => name.replaceAll(/\\(.)/g, '$1').normalize('NFC')));
