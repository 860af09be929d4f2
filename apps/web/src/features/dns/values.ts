import {
  automaticTtl,
  canBeProxied,
  hasPriority,
  isRecordType,
  type RecordType,
  ttlOptions,
  defaultPriority,
  defaultTtl,
} from '@vigie/contracts/dns-content';
import { type DnsRecord, type RecordContent, RecordForm } from '@vigie/contracts/dns-records';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';
import type { Changes, Draft } from './records.api';
import { spellTtl } from './words';

/** Numbers stay text until they are sent. */
export type Values = {
  type: RecordType;
  name: string;
  content: string;
  ttl: string;
  priority: string;
  proxied: boolean;
  comment: string;
};
const fields = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment'] as const;

export const blank: Values = {
  type: 'A',
  name: '',
  content: '',
  ttl: String(defaultTtl),
  priority: String(defaultPriority),
  proxied: false,
  comment: '',
};

/** `isRecordType` is true for every record that can be edited. */
export const valuesOf = (record: Omit<RecordContent, 'name'> & Pick<DnsRecord, 'display_name'>): Values => ({
  type: isRecordType(record.type) ? record.type : blank.type,
  name: record.display_name,
  content: record.content,
  ttl: String(record.ttl),
  priority: record.priority === null ? blank.priority : String(record.priority),
  proxied: record.proxied,
  comment: record.comment ?? '',
});

/** Returns -1 for invalid text, which the contract refuses with a sentence. */
const numberOf = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : -1);

export const isProxied = ({ type, proxied }: Values): boolean => proxied && canBeProxied(type);

export const draftOf = (values: Values) =>
  ({
    type: values.type,
    name: values.name.trim(),
    content: values.content.trim(),
    ttl: isProxied(values) ? automaticTtl : Number(values.ttl),
    priority: hasPriority(values.type) ? numberOf(values.priority) : null,
    proxied: isProxied(values),
    comment: values.comment.trim(),
  }) satisfies Draft;

/** Returns only the changed fields. */
export function changesOf(loaded: Values, values: Values): Changes {
  const [before, after] = [draftOf(loaded), draftOf(values)];
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

/** A record that leaves the proxy gets the default TTL in place of the automatic one. */
export function applyChanges(before: Values, changes: Partial<Values>): Values {
  const next = { ...before, ...changes };
  const leftProxy = isProxied(before) && !isProxied(next);
  return leftProxy && next.ttl === String(automaticTtl) ? { ...next, ttl: String(defaultTtl) } : next;
}

export const findErrors = (values: Values): FormErrors<Values> => schemaErrors(RecordForm, values, draftOf(values));

/** The TTLs of the specification, and the loaded one where it is none of them. */
export function ttlChoices(loaded: string, values: Values): { value: string; label: string }[] {
  if (isProxied(values)) return [{ value: values.ttl, label: 'Auto' }];
  const options = ttlOptions.map(String);
  const all = options.includes(loaded) ? options : [loaded, ...options];
  return all.map((value) => ({ value, label: spellTtl(Number(value)) }));
}

type Hint = { label: string; example: string; help?: string };

export const contentHints: Readonly<Record<RecordType, Hint>> = {
  A: { label: 'Adresse IPv4', example: '203.0.113.10' },
  AAAA: { label: 'Adresse IPv6', example: '2001:db8::10' },
  CNAME: { label: 'Cible', example: 'www.exemple.fr', help: 'Un nom d’hôte, ou @ pour le domaine lui-même.' },
  MX: { label: 'Serveur de courrier', example: 'mx.exemple.fr' },
  TXT: { label: 'Texte', example: 'v=spf1 include:_spf.exemple.fr -all' },
  NS: { label: 'Serveur DNS', example: 'ns1.exemple.fr' },
  SRV: { label: 'Poids, port et cible', example: '5 5060 sip.exemple.fr' },
  CAA: { label: 'Drapeau, étiquette et valeur', example: '0 issue "letsencrypt.org"' },
};
