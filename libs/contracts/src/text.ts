import { z } from 'zod';

/**
 * A missing text, or a value of another type, keeps zod's own code and becomes a 422; an empty text is a 400 with the
 * given sentence. To keep the two apart, emptiness is a refinement and not a minimal length.
 */
export const requiredText = (sentence: string, max = 255) =>
  z
    .string()
    .max(max, `Ce texte ne peut pas dépasser ${max} caractères.`)
    .refine((value) => value.trim() !== '', sentence);

/**
 * Invisible and direction-changing characters, which make two different names look the same, and lone surrogates, which
 * cannot be stored.
 */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

const invisibleRefusal = 'Ce texte tient sur une ligne, sans caractère invisible.';

/** A name on one line, trimmed and in Unicode's NFC form. */
export const requiredLine = (sentence: string, max: number) =>
  requiredText(sentence, max)
    .transform((value) => value.trim().normalize('NFC'))
    .refine((value) => !invisible.test(value), invisibleRefusal);

const optionalText = (max: number) =>
  z
    .string()
    .max(max, `Ce texte ne peut pas dépasser ${max} caractères.`)
    .transform((value) => value.trim().normalize('NFC') || null);

/** A line of text; an empty one becomes null. */
export const optionalLine = (max: number) =>
  optionalText(max).refine((value) => value === null || !invisible.test(value), invisibleRefusal);

/** Control characters other than line ends and tabs, and lone surrogates, which PostgreSQL refuses. */
const unstorable = /(?![\n\r\t])\p{Cc}|\p{Cs}/u;
const unstorableRefusal = 'Ce texte contient un caractère qui ne peut pas être enregistré\u00a0: retirez-le.';

/** A text of several lines; an empty one becomes null. */
export const optionalLines = (max: number) =>
  optionalText(max).refine((value) => value === null || !unstorable.test(value), unstorableRefusal);

/** Cleans a pasted text to one line of visible characters. */
export const cleanLine = (text: string): string => text.replaceAll(new RegExp(invisible, 'gu'), ' ').trim();

/** An email address; `x@host` without a dot is accepted, for local mail servers. */
export const email = (emptySentence: string) =>
  requiredText(emptySentence, 254)
    .transform((value) => value.trim().normalize('NFC').toLowerCase())
    .refine((value) => value === '' || isAddress(value), 'Cette adresse email n’est pas valide.');

/** Refuses characters that a mail server would read as a list, a comment or another address. */
const isAddress = (value: string) =>
  /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u.test(value) && !invisible.test(value);

const passwordMin = 8;
/** Longer passwords are refused before hashing, because hashing a megabyte would be an attack. */
const passwordMax = 256;

/** A password typed to log in: any text that is not empty. */
export const typedPassword = (emptySentence: string) => requiredText(emptySentence, passwordMax);

const isLongEnough = (password: string) => password.length >= passwordMin;
const tooShort = `Le mot de passe doit compter au moins ${passwordMin} caractères.`;

export const newPassword = (emptySentence: string) => typedPassword(emptySentence).refine(isLongEnough, tooShort);

/** A password that replaces the current one unless it is empty. */
export const replacedPassword = z
  .string()
  .max(passwordMax, `Ce texte ne peut pas dépasser ${passwordMax} caractères.`)
  .refine((value) => value === '' || (value.trim() !== '' && isLongEnough(value)), tooShort);

/** A word of a list: another type is a 422, a word outside the list a 400. */
export const oneOf = <const W extends readonly string[]>(words: W) =>
  (z.string() as z.ZodType<string, W[number]>).pipe(z.enum(words));

/** Where a page of a list begins. */
export const offset = z.coerce.number().int().min(0).max(1_000_000).default(0);

/** A search text without NUL, which PostgreSQL refuses. */
export const searchText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0'), 'Ce texte contient un caractère interdit.');

/** A UUID (Vigie's are version 7); a hostile id never reaches a query. */
export const id = z.uuid('Cet identifiant n’est pas valide.');

export const timestamp = z.iso.datetime();

/** A sentence for the user about what was done. */
export const Message = z.object({ message: z.string() });

/** A secret sealed for another process, stored and forwarded without being opened. */
export const SealedText = z.strictObject({
  protected: z.string().max(2_000),
  iv: z.string().max(100),
  ciphertext: z.string().max(200_000),
  tag: z.string().max(100),
});
export type SealedText = z.infer<typeof SealedText>;
