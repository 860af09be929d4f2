/** Why what is typed is not the word and will not become it; undefined as long as it may. */
export const wordFault = (word: string, typed: string): string | undefined =>
  word.startsWith(typed) ? undefined : `Le mot à taper est ${word}, en majuscules.`;
