/** The beginning of the word is no error: the user may still be typing. */
export const wordFault = (word: string, typed: string): string | undefined =>
  word.startsWith(typed) ? undefined : `Le mot à taper est ${word}, en majuscules.`;
