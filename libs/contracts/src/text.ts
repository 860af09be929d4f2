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

/**
 * What is not seen, or turns what is seen around: of two names that look the same, one is a trap. Half a letter nobody can
 * keep.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

const unseenRefusal = 'Ce texte tient sur une ligne, sans caractère invisible.';

/** A name: one line of it, without the spaces around, its letters written in one way. */
export const requiredLine = (sentence: string, max: number) =>
  requiredText(sentence, max)
    .transform((value) => value.trim().normalize('NFC'))
    .refine((value) => !unseen.test(value), unseenRefusal);

const optionalText = (max: number) =>
  z
    .string()
    .max(max, `Ce texte ne peut pas dépasser ${max} caractères.`)
    .transform((value) => value.trim().normalize('NFC') || null);

/** One line or none: null where it is empty. */
export const optionalLine = (max: number) =>
  optionalText(max).refine((value) => value === null || !unseen.test(value), unseenRefusal);

/** Another control character than what ends a line or moves on in it, or half a letter: PostgreSQL takes neither. */
const unkept = /(?![\n\r\t])\p{Cc}|\p{Cs}/u;
const unkeptRefusal = 'Ce texte contient un caractère qui ne peut pas être enregistré\u00a0: retirez-le.';

/** The same of many lines. */
export const optionalLines = (max: number) =>
  optionalText(max).refine((value) => value === null || !unkept.test(value), unkeptRefusal);

/** One line of it, as people pasted it from anywhere. */
export const cleanLine = (text: string): string => text.replaceAll(new RegExp(unseen, 'gu'), ' ').trim();

/** An address that a person may have on a machine of its own: `x@host` without a dot is accepted. */
export const email = (emptySentence: string) =>
  requiredText(emptySentence, 254)
    .transform((value) => value.trim().normalize('NFC').toLowerCase())
    .refine((value) => value === '' || isAddress(value), 'Cette adresse email n’est pas valide.');

/** Without what a mail server would read as a list, a comment or another address. */
const isAddress = (value: string) => /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u.test(value) && !unseen.test(value);

const passwordMin = 8;
/** Longer ones are refused before they are hashed: hashing a megabyte is an attack. */
const passwordMax = 256;

/** One that somebody types to prove who they are: any text that is not empty. */
export const typedPassword = (emptySentence: string) => requiredText(emptySentence, passwordMax);

const isLongEnough = (password: string) => password.length >= passwordMin;
const tooShort = `Le mot de passe doit compter au moins ${passwordMin} caractères.`;

/** One that somebody chooses. */
export const newPassword = (emptySentence: string) => typedPassword(emptySentence).refine(isLongEnough, tooShort);

/** One that replaces another unless it is left empty. */
export const replacedPassword = z
  .string()
  .max(passwordMax, `Ce texte ne peut pas dépasser ${passwordMax} caractères.`)
  .refine((value) => value === '' || (value.trim() !== '' && isLongEnough(value)), tooShort);

/** A word of a list: what is no text at all is a 422, a word that is not in it a 400. */
export const oneOf = <const W extends readonly string[]>(words: W) => z.string().pipe(z.enum(words));

/** What is looked for: PostgreSQL takes no NUL. */
export const searchText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0'), 'Ce texte contient un caractère interdit.');

/** UUIDv7 strings; a hostile id never reaches a query. */
export const id = z.uuid('Cet identifiant n’est pas valide.');

export const timestamp = z.iso.datetime();

/** What was done, in a sentence for whoever asked. */
export const Message = z.object({ message: z.string() });

/** A secret sealed for another process: stored and handed on as it is. */
export const SealedText = z.strictObject({
  protected: z.string().max(2_000),
  iv: z.string().max(100),
  ciphertext: z.string().max(200_000),
  tag: z.string().max(100),
});
export type SealedText = z.infer<typeof SealedText>;
