import type { DnsRecord } from '@vigie/contracts/dns-records';

/** The host name of an address, in punycode like those of records. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);

const bare = (host: string) => host.toLowerCase().replace(/^www\./, '');

/** Whether a record has the name of the site, with or without `www.`. */
export const ofHost = ({ name }: Pick<DnsRecord, 'name'>, host: string): boolean => bare(name) === bare(host);
