/** "de Camille", "d’Élodie". */
export const withDe = (name: string): string => (/^[aeiou]/i.test(name.normalize('NFD')) ? `d’${name}` : `de ${name}`);

export const endSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
