/** Folds accents, case and apostrophes, so that "reglages" finds "Réglages" and the other way round. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[’']/g, ' ')
    .toLowerCase();

/** Splits a search into folded words; an address loses its scheme, `www.` and final slashes, as in the lists. */
export const searchWords = (text: string): string[] =>
  foldText(text)
    .split(/\s+/)
    .map((word) => word.replace(/^(https?:\/\/)?(www\.)?/, '').replace(/\/+$/, ''))
    .filter(Boolean);
