import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useSite } from '../../app/sites';

/** Where the linked site is, as Vigie reaches it. */
export type ServerOfZone = { name: string; isPointedAtBy: (record: Pick<DnsRecord, 'type' | 'content'>) => boolean };

const plain = (host: string) => host.toLowerCase().replace(/\.$/, '');

export function useServerOfZone(zone: DnsZone | undefined): ServerOfZone | undefined {
  const { data: site } = useSite(zone?.site_id ?? undefined);
  const ssh = site?.connection.ssh;
  const host = ssh?.effective?.host;
  if (host === undefined || zone === undefined || zone.site_id === null) return undefined;
  return {
    name: ssh?.server_name ?? host,
    isPointedAtBy: ({ type, content }) => ['A', 'AAAA', 'CNAME'].includes(type) && plain(content) === plain(host),
  };
}
