import { searchWords } from '@vigie/contracts/search-text';

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** Returns the first three parameters of a search statement, or undefined for an empty search. */
export function patternsOf(q: string): [words: string[], start: string, wordStart: string] | undefined {
  const words = searchWords(q).map(escapeLike);
  const whole = words.join(' ');
  return whole === '' ? undefined : [words.map((word) => `%${word}%`), `${whole}%`, `% ${whole}%`];
}

/** SQL: the text contains every word of the parameter `words`. */
export const hasWords = (text: string, words = '$1') => `${text} like all (cast(${words} as text[]))`;

/** SQL: texts that begin with the whole search come first, then texts with a word that does. */
export const rankOf = (text: string) => `case when ${text} like $2 then 0 when ${text} like $3 then 1 else 2 end`;

/** SQL counterpart of `foldText`; skips the costly part for texts of ASCII only. */
export const foldTextSql = (text: string) =>
  `lower(translate(case when octet_length(${text}) = length(${text}) then ${text}
     else regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036F]', '', 'g') end, '’''', '  '))`;
