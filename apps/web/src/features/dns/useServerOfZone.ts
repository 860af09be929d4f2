import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useSite } from '../../kit/fleet/sites';

/** The server of the linked site, by the host that Vigie connects to. */
export type ServerOfZone = { name: string; host: string };

export function useServerOfZone({ site_id: siteId }: DnsZone): ServerOfZone | undefined {
  const { data } = useSite(siteId ?? undefined);
  const ssh = data?.connection.ssh;
  const host = ssh?.effective?.host;
  return siteId === null || host === undefined ? undefined : { name: ssh?.server_name ?? host, host };
}
