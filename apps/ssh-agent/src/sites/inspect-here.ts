import type { SiteToRead } from '@vigie/contracts/site-looks';
import type { Connection } from '@vigie/ssh/connection';
import { searchSite } from '@vigie/wordpress/diagnose';
import { inspectSite } from '@vigie/wordpress/inspect';
import { withPhp } from '@vigie/wordpress/php';
import { env } from '../env';
import { hostOf } from './site-host';

const api = env.VIGIE_WORDPRESS_API_URL ?? null;

/** Asks WordPress itself, and has it ask for updates. */
export function inspectHere(connection: Connection, site: SiteToRead, signal: AbortSignal) {
  const host = hostOf(connection);
  const look = async (php: string) => {
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const { facts } = await inspectSite(host, { path, url: site.url }, { php, refreshes: true, api, signal });
    return { facts, host_key: connection.hostKey };
  };
  return withPhp(host, site.php, look, signal);
}
