import { z } from 'zod';

/**
 * Missing or of the wrong type keeps zod's own code and becomes a 422; a required text left empty is a 400 with the
 * sentence given here. The two must stay apart, so emptiness is a refinement, not a minimal length.
 */
export const requiredText = (sentence: string, max = 255) =>
  z
    .string()
    .max(max, `Ce texte ne peut pas dépasser ${max} caractères.`)
    .refine((value) => value.trim() !== '', sentence);

/** An address that a person may have on a machine of its own: `x@host` without a dot is accepted. */
export const email = (emptySentence: string) =>
  requiredText(emptySentence, 254)
    .transform((value) => value.trim().toLowerCase())
    .refine(
      (value) => value === '' || /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value),
      'Cette adresse email n’est pas valide.',
    );

/** UUIDv7 strings; a hostile id never reaches a query. */
export const id = z.uuid('Cet identifiant n’est pas valide.');

export const timestamp = z.iso.datetime();
