import { z } from 'zod';
import fr from 'zod/v4/locales/fr.js';
import { AppError } from './errors';

const isShapeIssue = (code: string) =>
  ['invalid_type', 'invalid_union', 'unrecognized_keys', 'invalid_key'].includes(code);

/** Missing or of the wrong type is a 422 that names the field; a value that is refused is a 400 with its sentence. */
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

// What no schema says in its own words is at least said in French.
z.config(fr());
