import { z } from 'zod';
import { requiredText } from './text';

const badUrl = 'Cette URL n’est pas valide\u00a0: donnez une adresse comme https://exemple.fr.';

/** The address of a site: http or https, without user name and password. */
export const siteUrl = (emptySentence: string) =>
  requiredText(emptySentence, 2_048)
    .transform((value) => value.trim())
    .refine((value) => value === '' || isSiteUrl(value), badUrl)
    .transform((value) => (isSiteUrl(value) ? plainUrl(value) : value));

function isSiteUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/iu.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password } = new URL(value);
  return hostname !== '' && username === '' && password === '';
}

/** Removes the slash that URL adds to a bare origin. */
function plainUrl(value: string): string {
  const { origin, pathname, search } = new URL(value);
  return `${origin}${pathname === '/' && search === '' ? '' : pathname}${search}`;
}

const badPath =
  'Ce chemin n’est pas valide\u00a0: il commence par /, sans caractère invisible, comme /var/www/exemple.fr.';

/** An absolute folder of a host, or an empty text for none. */
export const wpPath = z
  .string()
  .max(4_096, 'Ce chemin ne peut pas dépasser 4096 caractères.')
  .refine((value) => value === '' || (value.startsWith('/') && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)), badPath)
  .refine((value) => !value.split('/').includes('..'), badPath)
  .transform((value) => value.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, ''));

/**
 * The hash of the place (address, server and folder) that a site had when a plan was made, for an order that holds for that
 * place only. Only Vigie computes it.
 */
export const expectedPlace = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional();
