import { AppError } from '@vigie/contracts/errors';

const again = 'Refaites cette sauvegarde ou ce transfert, puis recommencez.';

/** Why an archive is not used. Nothing of it was written anywhere by then. */
export const refuse = (code: string, message: string, remedy = again) =>
  new AppError('invalid', { code, message, remedy });

export const damaged = (message: string) => refuse('damaged', message);

const maxShown = 80;

/** A name that somebody else chose, as a sentence may hold it. */
export function quote(name: string): string {
  const shown = name.replace(/\p{C}/gu, '\ufffd');
  return `«\u00a0${shown.length > maxShown ? `${shown.slice(0, maxShown - 1)}…` : shown}\u00a0»`;
}
