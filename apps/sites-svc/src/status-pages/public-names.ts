import { domainToUnicode } from 'node:url';

type Named = { id: string; url: string };

/** What a site is called in public: the host of its address, with the path where several sites have the same host. */
export function publicNames(sites: readonly Named[]): Map<string, string> {
  const hosts = new Map(sites.map(({ id, url }) => [id, hostOf(url)]));
  const counts = new Map<string, number>();
  for (const host of hosts.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
  return new Map(
    sites.map(({ id, url }) => {
      const host = hosts.get(id) ?? '';
      return [id, (counts.get(host) ?? 0) > 1 ? `${host}${pathOf(url)}` : host];
    }),
  );
}

const hostOf = (url: string): string => {
  const { hostname } = new URL(url);
  return domainToUnicode(hostname) || hostname;
};

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
