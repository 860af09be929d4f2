import { domainToASCII } from 'node:url';
import { type DomainAnswer, type DomainPhase, maxRegistrarLength } from '@vigie/contracts/domains';
import { cleanLine, timestamp } from '@vigie/contracts/text';
import { z } from 'zod';
import type { JsonAnswer } from './get-json';

/** What the registry said, or why it said nothing. */
export type Found = Omit<DomainAnswer, 'server' | 'was_asked'>;

const maxWaitSeconds = 86_400;
/** Of one that says no more than that it was asked too often. */
const usualWaitSeconds = 3_600;
const withoutEnd = { phase: 'usual' as const, expires_at: null, registrar: null, retry_after: null };
export const failed = (error: string, retryAfter: number | null = null): Found => ({
  ...withoutEnd,
  state: 'failed',
  error,
  retry_after: retryAfter,
});
export const unknown = (error: string): Found => ({ ...withoutEnd, state: 'unknown', error });

const RdapDomain = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().optional(),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string().nullish() })).nullish(),
  status: z.array(z.string()).nullish(),
  entities: z.unknown().optional(),
});

const Entity = z.object({ roles: z.array(z.string()), vcardArray: z.tuple([z.string(), z.array(z.unknown())]) });
const FormattedName = z.tuple([z.literal('fn'), z.unknown(), z.unknown(), z.string()]);

/** Of RFC 9083, what is needed of the answer about this domain. */
export function toDomainAnswer(name: string, { status, retryAfter, body }: JsonAnswer): Found {
  const wait = retryAfter === undefined ? null : Math.min(Math.max(1, Math.ceil(retryAfter)), maxWaitSeconds);
  if (status === 404) return unknown('Le registre ne connaît pas ce domaine.');
  if (status === 429 || status === 403) return failed('Le registre demande d’attendre.', wait ?? usualWaitSeconds);
  if (status !== 200) return failed(`Le registre répond HTTP\u00a0${status}.`, wait);
  const { data } = RdapDomain.safeParse(body);
  if (!data) return failed('La réponse du registre est illisible.');
  if (data.ldhName !== undefined && toPlain(data.ldhName) !== toPlain(name)) {
    return failed('Le registre a répondu pour un autre domaine.');
  }
  const expiration = data.events?.find(({ eventAction }) => eventAction.toLowerCase() === 'expiration');
  if (!expiration) return unknown('Le registre ne publie pas de date de fin.');
  const expiresAt = toTimestamp(expiration.eventDate ?? '');
  if (expiresAt === null) return failed('La date de fin que donne le registre est illisible.');
  return {
    state: 'known',
    phase: phaseOf(data.status ?? []),
    expires_at: expiresAt,
    registrar: registrarOf(data.entities),
    error: null,
    retry_after: null,
  };
}

/** In ASCII, since some registries write the letters of a name instead. */
const toPlain = (name: string) => domainToASCII(name.replace(/\.$/, ''));

/** By the names that RFC 8056 and ICANN give them, with or without spaces. */
function phaseOf(status: readonly string[]): DomainPhase {
  const names = new Set(status.map((name) => name.toLowerCase().replaceAll(/\s/g, '')));
  if (names.has('redemptionperiod') || names.has('pendingdelete')) return 'lapsed';
  return names.has('autorenewperiod') ? 'renewing' : 'usual';
}

/** The first names were registered in 1985. */
const firstMs = Date.parse('1985-01-01T00:00:00Z');

/** A date of RFC 3339, in UTC where it says nothing else. JavaScript would read a date in almost any text. */
function toTimestamp(text: string): string | null {
  const [, day, time = '', zone] = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const ms = Date.parse(time === '' ? day : `${day}${time}${zone ?? 'Z'}`);
  if (!(ms >= firstMs)) return null;
  return timestamp.safeParse(new Date(ms).toISOString()).data ?? null;
}

/** The 30th of February would be read as one of March. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function registrarOf(entities: unknown): string | null {
  for (const entity of Array.isArray(entities) ? entities : []) {
    const { data } = Entity.safeParse(entity);
    if (!data?.roles.includes('registrar')) continue;
    const names = data.vcardArray[1].flatMap((line) => FormattedName.safeParse(line).data?.[3] ?? []);
    const name = cleanLine((names[0] ?? '').slice(0, maxRegistrarLength)).replaceAll(/\s+/g, ' ');
    if (name !== '') return name;
  }
  return null;
}
