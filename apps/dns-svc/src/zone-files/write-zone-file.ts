import { defaultPriority } from '@vigie/contracts/dns-content';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { quoteText, shortName } from '../records/canonical';

type Zone = { name: string; name_servers: readonly string[] };

const soaNumbers = '10000 2400 604800 3600';

/** Writes a zone file that BIND loads and Cloudflare imports, with SOA, NS, and a tag for the proxy. */
export function writeZoneFile(zone: Zone, records: readonly RecordContent[], at: Date): string {
  const [first = `ns.${zone.name}`] = zone.name_servers;
  const serial = Math.floor(at.getTime() / 1000);
  const lines = [
    `;; ${zone.name}, ${at.toISOString()}`,
    `$ORIGIN ${zone.name}.`,
    `@\t3600\tIN\tSOA\t${first}. dns.cloudflare.com. ${serial} ${soaNumbers}`,
    ...zone.name_servers.map((server) => `@\t86400\tIN\tNS\t${server}.`),
    ...records.map((record) => lineOf(record, zone.name)),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf(record: RecordContent, zoneName: string): string {
  const { type, name, ttl, proxied, comment } = record;
  // The comment stays on one line and starts no other comment.
  const note = [comment?.replaceAll(/[\s;]+/g, ' '), proxied && 'cf_tags=cf-proxied:true'].filter(Boolean).join(' ');
  const line = [shortName(name, zoneName), ttl, 'IN', type, dataOf(record)].join('\t');
  return note === '' ? line : `${line} ; ${note}`;
}

function dataOf({ type, content, priority }: RecordContent): string {
  if (pointers.includes(type)) return withDot(content);
  if (type === 'MX') return `${priority ?? defaultPriority} ${withDot(content)}`;
  if (type === 'SRV') return `${priority ?? defaultPriority} ${withDot(content)}`;
  if (type === 'TXT') return quoteText(content);
  return content;
}

const pointers = ['CNAME', 'DNAME', 'NS', 'PTR'];

const withDot = (name: string) => (name.endsWith('.') ? name : `${name}.`);
