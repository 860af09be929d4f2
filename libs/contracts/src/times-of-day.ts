import { z } from 'zod';

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Écrivez une heure comme 22:00.');

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('fr-FR', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** A name of the IANA, such as Europe/Paris. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Ce fuseau horaire n’est pas connu\u00a0: écrivez par exemple Europe/Paris.');
