import { AppError } from '@vigie/contracts/errors';

const again = 'Refaites cette sauvegarde ou ce transfert, puis recommencez.';

/** Why an archive is refused; nothing of it has been written anywhere. */
export const refuse = (code: string, message: string, remedy = again) =>
  new AppError('invalid', { code, message, remedy });

export const damaged = (message: string) => refuse('damaged', message);

const maxShown = 80;

/** Quotes a foreign name safely within a sentence. */
export function quote(name: string): string {
  const shown = name.replace(/\p{C}/gu, '\ufffd');
  return `«\u00a0${shown.length > maxShown ? `${shown.slice(0, maxShown - 1)}…` : shown}\u00a0»`;
}
