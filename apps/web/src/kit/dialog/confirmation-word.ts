/** The beginning of the word is no error: the user may still be typing. */
export const confirmationError = (word: string, text: string): string | undefined =>
  word.startsWith(text) ? undefined : `Le mot à taper est ${word}, en majuscules.`;
