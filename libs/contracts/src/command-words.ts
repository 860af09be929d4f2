/**
 * Splits a line into words as a shell would, without anything else that a shell does: quotes and backslashes count, `$`,
 * `*`, `;` and all the rest are plain text. Undefined where a quote or a backslash is left open.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line;
  for (;;) {
    rest = rest.replace(/^(?:\s|\\\n)+/, '');
    if (rest === '') return words;
    const [word = ''] = wordRule.exec(rest) ?? [];
    rest = rest.slice(word.length);
    if (word === '' || /^\S/.test(rest)) return undefined;
    words.push(word.replaceAll(partRule, unquote));
  }
}

/** A plain character, an escaped one, or a quoted text. */
const part = String.raw`[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"`;
const wordRule = new RegExp(`^(?:${part})+`);
const partRule = new RegExp(part, 'g');

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\([\s\S])/g, unescapeInQuotes);
  if (!text.startsWith('\\')) return text;
  return text === '\\\n' ? '' : text.slice(1);
}

/** Between double quotes a backslash stays before what it does not protect. */
function unescapeInQuotes(all: string, character: string): string {
  if (character === '\n') return '';
  return /["\\$`]/.test(character) ? character : all;
}

/** The arguments of a WP-CLI command, which may begin with `wp`. Undefined for an open quote. */
export function wpArguments(command: string): string[] | undefined {
  const words = splitWords(command);
  return words?.[0] === 'wp' ? words.slice(1) : words;
}
