import { z } from 'zod';
import { readText } from './dns-text';
import { asciiName, isDomain, isRecordName } from './domain-name';

/** Record types that Vigie can write; other types are read-only. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const;
export type RecordType = (typeof recordTypes)[number];

export const isRecordType = (type: string): type is RecordType => (recordTypes as readonly string[]).includes(type);

const withProxy: readonly string[] = ['A', 'AAAA', 'CNAME'];
const withPriority: readonly string[] = ['MX', 'SRV'];
export const canBeProxied = (type: string): boolean => withProxy.includes(type);
export const hasPriority = (type: string): boolean => withPriority.includes(type);

/** TTLs that the form offers, in seconds; other existing TTLs are kept. */
export const ttlOptions = [60, 300, 600, 1_800, 3_600, 7_200, 86_400] as const;
export const defaultTtl = 3_600;
/** Cloudflare chooses the TTL; a proxied record has no other. */
export const automaticTtl = 1;
export const isOfferedTtl = (seconds: number): boolean =>
  seconds === automaticTtl || (ttlOptions as readonly number[]).includes(seconds);
export const unofferedTtl = `Le TTL est automatique (${automaticTtl}), ou de ${ttlOptions.slice(0, -1).join(', ')} ou ${ttlOptions.at(-1)}\u00a0secondes.`;
export const defaultPriority = 10;

const isIpv4 = (text: string) => z.ipv4().safeParse(text).success;
const isIpv6 = (text: string) => z.ipv6().safeParse(text).success;

/** Normalises the host that a record points to; undefined for a single label or `.`. */
export const hostOf = (text: string): string | undefined => {
  const name = asciiName(text);
  return name !== undefined && isRecordName(name) && name.includes('.') ? name : undefined;
};

export type SrvData = { priority: number; weight: number; port: number; target: string };

/** Parses `priority weight port target`; the priority may be missing when it is a separate field. */
export function parseSrv(content: string, priority: number = defaultPriority): SrvData | undefined {
  const words = content.trim().split(/\s+/);
  const numbers = words.slice(0, -1).map(portOf);
  if (numbers.length < 2 || numbers.length > 3 || numbers.includes(undefined)) return undefined;
  const [weight, port] = numbers.slice(-2) as [number, number];
  const last = words.at(-1) ?? '';
  // A single dot means that the domain has no such service.
  const target = last === '.' ? '.' : hostOf(last);
  if (target === undefined) return undefined;
  return { priority: numbers.length === 3 ? (numbers[0] ?? priority) : priority, weight, port, target };
}

const portOf = (word: string) => (/^\d{1,5}$/.test(word) && Number(word) <= 65_535 ? Number(word) : undefined);

export type CaaData = { flags: number; tag: string; value: string };

const caaTags = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone'];

/** Parses `0 issue "letsencrypt.org"`; the quotes may be missing. */
export function parseCaa(content: string): CaaData | undefined {
  const [, flags = '', tag = '', quoted, bare] =
    /^\s*(\d{1,3})\s+([A-Za-z0-9]+)\s+(?:"([^"]*)"|([^\s"]+(?:\s[^"]*)?))\s*$/.exec(content) ?? [];
  const value = (quoted ?? bare)?.trim();
  if (value === undefined || Number(flags) > 255 || !caaTags.includes(tag.toLowerCase())) return undefined;
  return { flags: Number(flags), tag: tag.toLowerCase(), value };
}

const refusals: Readonly<Record<RecordType, string>> = {
  A: 'Un enregistrement A contient une adresse IPv4, comme 203.0.113.10.',
  AAAA: 'Un enregistrement AAAA contient une adresse IPv6, comme 2001:db8::10.',
  CNAME: 'Un enregistrement CNAME contient un nom d’hôte, comme www.exemple.fr.',
  MX: 'Un enregistrement MX contient le nom d’un serveur de courrier, comme mx.exemple.fr.',
  NS: 'Un enregistrement NS contient le nom d’un serveur DNS, comme ns1.exemple.fr.',
  TXT: 'Un enregistrement TXT contient un texte de 4096\u00a0caractères au plus, sans caractère invisible.',
  SRV: 'Un enregistrement SRV contient «\u00a0poids port cible\u00a0», comme 5 5060 sip.exemple.fr.',
  CAA: 'Un enregistrement CAA contient «\u00a0drapeau étiquette valeur\u00a0», comme 0 issue "letsencrypt.org".',
};

const isFitting: Readonly<Record<RecordType, (content: string) => boolean>> = {
  A: isIpv4,
  AAAA: isIpv6,
  CNAME: (content) => content === '@' || hostOf(content) !== undefined,
  // A single dot means that the domain accepts no mail.
  MX: (content) => content === '.' || hostOf(content) !== undefined,
  NS: (content) => isDomain(asciiName(content) ?? ''),
  TXT: (content) => content.length <= 4_096 && readText(content) !== undefined,
  SRV: (content) => parseSrv(content) !== undefined,
  CAA: (content) => parseCaa(content) !== undefined,
};

/** Explains why a content does not fit a record type; undefined when it does. */
export function contentRefusal(type: RecordType, content: string): string | undefined {
  return isFitting[type](content.trim()) ? undefined : refusals[type];
}
