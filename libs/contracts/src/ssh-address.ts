import { z } from 'zod';
import { requiredText } from './text';

const badHost = 'Cet hôte n’est pas valide\u00a0: donnez un nom comme web-03.exemple.fr, ou une adresse IP.';

const maxHost = 253;

/** A host name or address, normalised for look-up: lower-case ASCII without brackets or a final dot. */
export const sshHost = (emptySentence: string) => hostIn(requiredText(emptySentence, maxHost));

/** An empty host means the server's. */
export const optionalSshHost = hostIn(z.string().max(maxHost)).transform((host) => (host === '' ? null : host));

function hostIn(text: z.ZodString) {
  return text.transform(normaliseHost).refine((value) => value === '' || isHost(value), badHost);
}

function normaliseHost(text: string): string {
  const bareHost = text
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=[^.])\.$/, '');
  return isAscii(bareHost) ? bareHost : asciiHost(bareHost);
}

const isAscii = (text: string) => /^[!-~]*$/.test(text);

/** Converts international names to punycode. */
function asciiHost(name: string): string {
  if (!/^[\p{L}\p{N}\p{M}.-]+$/u.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function isHost(host: string): boolean {
  if (z.ipv4().safeParse(host).success || z.ipv6().safeParse(host).success) return true;
  const labels = host.split('.');
  // Resolvers read a numeric last label as an IP address in another notation.
  return labels.every((text) => label.test(text)) && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
}

const badPort = 'Un port est un nombre de 1 à 65535.';
/** An empty port means the default. */
export const sshPort = z
  .union([z.literal(''), z.int()])
  .refine((port) => port === '' || (port >= 1 && port <= 65_535), badPort)
  .transform((port) => (port === '' ? null : port));

const badUser = 'Cet utilisateur n’est pas valide\u00a0: lettres, chiffres, point, tiret et soulignement.';
/** An empty user means the default. Directory accounts are allowed: `nom@domaine`, `DOMAINE\nom`. */
export const sshUser = z
  .string()
  .max(64, 'Ce texte ne peut pas dépasser 64 caractères.')
  .transform((value) => value.trim())
  .refine((value) => value === '' || /^[A-Za-z0-9_][A-Za-z0-9._@+\\$-]*$/.test(value), badUser);
