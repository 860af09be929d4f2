import { AppError } from '@vigie/contracts/errors';
import { isNestedDeeper } from '@vigie/contracts/nesting';

const maxDepth = 32;
/** Dangerous keys, or an escape that may stand for one, a NUL or half a character. */
const mayHoldPoison = /__proto__|constructor|\\u/;

/** Parses a JSON body. Refuses one that is nested too deeply, and keys that would poison an object. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (isNestedDeeper(text, maxDepth)) throw new AppError('invalid', 'La requête est trop imbriquée.');
  try {
    // Checking every value costs ten times as much as parsing, so only a suspicious text is checked.
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
