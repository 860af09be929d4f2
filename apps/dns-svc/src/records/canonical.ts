import { createHash } from 'node:crypto';
import { hasPriority, hostOf, isRecordType, parseCaa, parseSrv, defaultPriority } from '@vigie/contracts/dns-content';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { isLeftQuoted, quote, readStoredText } from '@vigie/contracts/dns-text';
import { asciiName } from '@vigie/contracts/domain-name';

/** One way to write each content, so that what means the same compares the same. */
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

/** Of an SRV whose content begins with it. */
export function priorityIn(type: string, content: string, priority: number | null | undefined): number | null {
  if (!hasPriority(type)) return null;
  if (type === 'SRV') return parseSrv(content, priority ?? defaultPriority)?.priority ?? priority ?? defaultPriority;
  return priority ?? defaultPriority;
}

/** The browser's own rule for the shortest form. */
function canonicalIpv6(text: string): string {
  const address = `http://[${text}]`;
  return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : text;
}

const longestString = 255;

/** As zone files and providers take it: strings of 255 bytes at most. */
export function quoteText(text: string): string {
  if (isLeftQuoted(text)) return text;
  const strings = [];
  let part = '';
  for (const letter of text) {
    if (Buffer.byteLength(part + letter) > longestString) {
      strings.push(part);
      part = '';
    }
    part += letter;
  }
  return [...strings, part].map(quote).join(' ');
}

/** Whole: `@` and the bare zone are the zone itself, a relative name gets the zone. */
export function wholeName(name: string, zoneName: string): string {
  const plain = asciiName(name) ?? name;
  if (plain === '@' || plain === zoneName) return zoneName;
  return plain.endsWith(`.${zoneName}`) ? plain : `${plain}.${zoneName}`;
}

/** As it is shown. */
export const shortName = (name: string, zoneName: string): string =>
  name === zoneName ? '@' : name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : name;

/** What a record says, and nothing around it. */
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

/** A zone of thousands is compared, kept and shown by them: each is worked out once. */
const versions = new WeakMap<RecordContent, string>();

export function versionOf(record: RecordContent): string {
  const known = versions.get(record);
  if (known !== undefined) return known;
  const version = hash(JSON.stringify(Object.values(contentOf(record))));
  versions.set(record, version);
  return version;
}

/** Of all records together, in whatever order they came. */
export const zoneVersion = (records: readonly (RecordContent & { id: string })[]): string =>
  hash(
    records
      .map((record) => `${record.id} ${versionOf(record)}`)
      .toSorted()
      .join('\n'),
  );

/** Whether they are one and the same record for the DNS. */
export const isSameRecord = (one: RecordContent, other: RecordContent): boolean => keyOf(one) === keyOf(other);

/** It says where its name leads. */
export const isAddress = (type: string): boolean => ['A', 'AAAA', 'CNAME'].includes(type);

/** A TXT keeps its letters as they are; all else does not care. */
export const keyOf = ({ type, name, content, priority }: RecordContent): string =>
  JSON.stringify([type, name, isRecordType(type) && type !== 'TXT' ? content.toLowerCase() : content, priority]);
