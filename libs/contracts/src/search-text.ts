/** As people look for it: "Réglages" is found by "reglages", and the other way round. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[’']/g, ' ')
    .toLowerCase();

/** What is typed, word by word; an address is looked for as it is shown, without what it begins with. */
export const searchWords = (text: string): string[] =>
  foldText(text)
    .split(/\s+/)
    .map((word) => word.replace(/^(https?:\/\/)?(www\.)?/, '').replace(/\/+$/, ''))
    .filter(Boolean);
