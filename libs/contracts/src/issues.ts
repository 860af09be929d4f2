import { z } from 'zod';
import { AppError } from './errors';

const isShapeIssue = (code: string) =>
  ['invalid_type', 'invalid_union', 'unrecognized_keys', 'invalid_key'].includes(code);

/** Maps a missing field or wrong type to a 422 that names the field, and a refused value to a 400 with its sentence. */
export function toAppError(error: z.ZodError): AppError {
  const shape = error.issues.find((issue) => isShapeIssue(issue.code));
  if (shape) {
    const field = shape.path.join('.');
    return new AppError(
      'schema',
      field ? `Le champ « ${field} » est absent ou n’a pas le type attendu.` : 'La requête n’a pas la forme attendue.',
    );
  }
  const [first] = error.issues;
  return new AppError('invalid', first?.message ?? 'Cette valeur est refusée.');
}

/** Sentences for users where a schema gives none, instead of zod's messages for developers. */
function sentenceOf(issue: { code: string; origin?: string; maximum?: unknown; minimum?: unknown }): string {
  const { code, origin, maximum, minimum } = issue;
  if (code === 'too_big' && origin === 'string') return `Ce texte ne peut pas dépasser ${String(maximum)} caractères.`;
  if (code === 'too_big' && origin === 'number') return `Ce nombre ne peut pas dépasser ${String(maximum)}.`;
  if (code === 'too_small' && origin === 'number') return `Ce nombre doit être au moins ${String(minimum)}.`;
  if (code === 'invalid_value') return 'Cette valeur ne fait pas partie des choix possibles.';
  if (code === 'invalid_format') return 'Cette valeur n’a pas le format attendu.';
  return 'Cette valeur est refusée.';
}

z.config({ localeError: sentenceOf });
