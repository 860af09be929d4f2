import { AppError } from '@vigie/contracts/errors';
import { isNestedDeeper } from '@vigie/contracts/nesting';

const deepest = 32;
/** The names, or an escape that may spell them, a NUL or half a character. */
const mayHoldPoison = /__proto__|constructor|\\u/;

/** Parses a JSON body; refuses what is too deep before parsing it, and keys that would poison an object. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (isNestedDeeper(text, deepest)) throw new AppError('invalid', 'La requête est trop imbriquée.');
  try {
    // A look at every value is ten times the cost of parsing, so only a text that could hold poison gets it.
    return mayHoldPoison.test(text) ? JSON.parse(text, refusePoison) : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid', 'La requête n’est pas du JSON valide.', { cause });
  }
}

function refusePoison(key: string, value: unknown): unknown {
  if (key === '__proto__' || (key === 'constructor' && typeof value === 'object')) {
    throw new AppError('invalid', 'La requête contient un nom de champ interdit.');
  }
  if (typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value)) {
    throw new AppError('invalid', 'La requête contient un caractère interdit.');
  }
  return value;
}
