import { searchWords } from '@vigie/contracts/search-text';

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** Returns the first three parameters of a search statement, or undefined for an empty search. */
export function patternsOf(q: string): [words: string[], start: string, wordStart: string] | undefined {
  const words = searchWords(q).map(escapeLike);
  const whole = words.join(' ');
  return whole === '' ? undefined : [words.map((word) => `%${word}%`), `${whole}%`, `% ${whole}%`];
}

const minLooseLength = 5;
/** Longer words would make a pattern that grows with their square. */
const maxLooseLength = 40;
const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Matches a word with any two neighbouring letters replaced by one to three: a letter more, less, different or swapped. */
const loosePattern = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, place) => `${escapePattern(word.slice(0, place))}.{1,3}${escapePattern(word.slice(place + 2))}`,
  ).join('|');

const isLoose = ({ length }: string) => length >= minLooseLength && length <= maxLooseLength;

/** Patterns for words that may have a typing error, or undefined where none is long enough. */
export function loosePatternsOf(q: string): string[] | undefined {
  const words = searchWords(q);
  return words.some(isLoose)
    ? words.map((word) => (isLoose(word) ? loosePattern(word) : escapePattern(word)))
    : undefined;
}

/** SQL: the text has a match of every pattern of the parameter `patterns`. */
export const hasLooseWords = (text: string, patterns = '$1') => `${text} ~ all (cast(${patterns} as text[]))`;

/** SQL: the text contains every word of the parameter `words`. */
export const hasWords = (text: string, words = '$1') => `${text} like all (cast(${words} as text[]))`;

/** SQL: texts that begin with the whole search come first, then texts with a word that does. */
export const rankOf = (text: string) => `case when ${text} like $2 then 0 when ${text} like $3 then 1 else 2 end`;

/** SQL counterpart of `foldText`; skips the costly part for texts of ASCII only. */
export const foldTextSql = (text: string) =>
  `lower(translate(case when octet_length(${text}) = length(${text}) then ${text}
     else regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036F]', '', 'g') end, '’''', '  '))`;
