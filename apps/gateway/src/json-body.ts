import { AppError } from '@vigie/contracts/errors';

const deepest = 32;
/** The names, or an escape that may spell them, a NUL or half a character. */
const mayHoldPoison = /__proto__|constructor|\\u/;

/** Parses a JSON body; refuses what is too deep before parsing it, and keys that would poison an object. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (isTooDeep(text)) throw new AppError('invalid', 'La requête est trop imbriquée.');
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

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (isInString) {
      if (char === 0x5c) at += 1;
      else if (char === 0x22) isInString = false;
    } else if (char === 0x22) isInString = true;
    else if (char === 0x7b || char === 0x5b) depth += 1;
    else if (char === 0x7d || char === 0x5d) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
