import { AppError } from '@vigie/contracts/errors';

const retryRemedy = 'Refaites cette sauvegarde ou ce transfert, puis recommencez.';

/** Why an archive is refused; nothing of it has been written anywhere. */
export const refuse = (code: string, message: string, remedy = retryRemedy) =>
  new AppError('invalid', { code, message, remedy });

export const damaged = (message: string) => refuse('damaged', message);

const maxQuoted = 80;

/** Quotes a foreign name safely within a sentence. */
export function quote(name: string): string {
  const printable = name.replace(/\p{C}/gu, '\ufffd');
  return `«\u00a0${printable.length > maxQuoted ? `${printable.slice(0, maxQuoted - 1)}…` : printable}\u00a0»`;
}
