import { searchWords } from '@vigie/contracts/search-text';

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** Of what is looked for, the first three values of a statement; undefined where that is nothing. */
export function patternsOf(q: string): [words: string[], start: string, wordStart: string] | undefined {
  const words = searchWords(q).map(escaped);
  const whole = words.join(' ');
  return whole === '' ? undefined : [words.map((word) => `%${word}%`), `${whole}%`, `% ${whole}%`];
}

/** SQL: it has every word, those being the value that `words` stands for. */
export const hasWords = (text: string, words = '$1') => `${text} like all (cast(${words} as text[]))`;

/** SQL: what begins with all that was typed comes before what has a word that does. */
export const rankOf = (text: string) => `case when ${text} like $2 then 0 when ${text} like $3 then 1 else 2 end`;

/** SQL: what `plain` makes of a text, for less where it has no letter beyond ASCII. */
export const plainSql = (text: string) =>
  `lower(translate(case when octet_length(${text}) = length(${text}) then ${text}
     else regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036F]', '', 'g') end, '’''', '  '))`;
