import { domainToUnicode } from 'node:url';

type Named = { id: string; url: string };

/**
 * What a site is called in public: the host of its address, with port and path where several sites have the same host, and a
 * number where they have the same of these too.
 */
export function publicNames(sites: readonly Named[]): Map<string, string> {
  const hosts = new Map(sites.map(({ id, url }) => [id, hostOf(url)]));
  const counts = new Map<string, number>();
  for (const host of hosts.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
  const used = new Map<string, number>();
  return new Map(
    sites.map(({ id, url }) => {
      const host = hosts.get(id) ?? '';
      const name = (counts.get(host) ?? 0) > 1 ? `${host}${portAndPathOf(url)}` : host;
      const times = (used.get(name) ?? 0) + 1;
      used.set(name, times);
      return [id, times > 1 ? `${name} (${times})` : name];
    }),
  );
}

const hostOf = (url: string): string => {
  const { hostname } = new URL(url);
  return domainToUnicode(hostname) || hostname;
};

function portAndPathOf(url: string): string {
  const { port, pathname } = new URL(url);
  return `${port === '' ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}`;
}
