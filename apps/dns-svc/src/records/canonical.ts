import { createHash } from 'node:crypto';
import { hasPriority, hostOf, isRecordType, parseCaa, parseSrv, defaultPriority } from '@vigie/contracts/dns-content';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { isLeftQuoted, quote, readStoredText } from '@vigie/contracts/dns-text';
import { asciiName } from '@vigie/contracts/domain-name';

/** Writes equal contents the same way, so that they compare as equal. */
export function canonicalContent(type: string, content: string, zoneName: string): string {
  const text = content.trim();
  if (type === 'AAAA') return canonicalIpv6(text);
  if (type === 'TXT') return readStoredText(text);
  if (type === 'SRV') {
    const data = parseSrv(text);
    return data ? `${data.weight} ${data.port} ${data.target}` : text;
  }
  if (type === 'CAA') {
    const data = parseCaa(text);
    return data ? `${data.flags} ${data.tag} "${data.value}"` : text;
  }
  if (type === 'CNAME' && text === '@') return zoneName;
  if (type === 'CNAME' || type === 'MX' || type === 'NS') return hostOf(text) ?? text;
  return text;
}

/** An SRV’s content may begin with its priority. */
export function priorityIn(type: string, content: string, priority: number | null | undefined): number | null {
  if (!hasPriority(type)) return null;
  if (type === 'SRV') return parseSrv(content, priority ?? defaultPriority)?.priority ?? priority ?? defaultPriority;
  return priority ?? defaultPriority;
}

/** `URL` writes an IPv6 address in its shortest form. */
function canonicalIpv6(text: string): string {
  const address = `http://[${text}]`;
  return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : text;
}

const maxStringBytes = 255;

/** Quotes a text as zone files and providers expect it, in strings of 255 bytes at most. */
export function quoteText(text: string): string {
  if (isLeftQuoted(text)) return text;
  const strings = [];
  let part = '';
  for (const letter of text) {
    if (Buffer.byteLength(part + letter) > maxStringBytes) {
      strings.push(part);
      part = '';
    }
    part += letter;
  }
  return [...strings, part].map(quote).join(' ');
}

/** `@` and the zone’s own name mean the zone; the zone’s name is appended to a relative name. */
export function fullName(name: string, zoneName: string): string {
  const asciiText = asciiName(name) ?? name;
  if (asciiText === '@' || asciiText === zoneName) return zoneName;
  return asciiText.endsWith(`.${zoneName}`) ? asciiText : `${asciiText}.${zoneName}`;
}

export const shortName = (name: string, zoneName: string): string =>
  name === zoneName ? '@' : name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : name;

export const contentOf = ({ type, name, content, ttl, priority, proxied, comment }: RecordContent): RecordContent => ({
  type,
  name,
  content,
  ttl,
  priority,
  proxied,
  comment,
});

const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Caches the hash of each record, since zones of thousands of records are compared often. */
const versions = new WeakMap<RecordContent, string>();

export function versionOf(record: RecordContent): string {
  const cached = versions.get(record);
  if (cached !== undefined) return cached;
  const version = hash(JSON.stringify(Object.values(contentOf(record))));
  versions.set(record, version);
  return version;
}

export const zoneVersion = (records: readonly (RecordContent & { id: string })[]): string =>
  hash(
    records
      .map((record) => `${record.id} ${versionOf(record)}`)
      .toSorted()
      .join('\n'),
  );

export const isSameRecord = (one: RecordContent, other: RecordContent): boolean => recordKey(one) === recordKey(other);

/** Tells whether a type decides where its name leads. */
export const isAddress = (type: string): boolean => ['A', 'AAAA', 'CNAME'].includes(type);

/** Only the content of a TXT is case-sensitive. */
export const recordKey = ({ type, name, content, priority }: RecordContent): string =>
  JSON.stringify([type, name, isRecordType(type) && type !== 'TXT' ? content.toLowerCase() : content, priority]);
