import { isStoreUrl, storeRefusal } from '@vigie/files/open-store';
import { baseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { outboundRule } from '@vigie/ssh/addresses';
import { z } from 'zod';

/** `10.0.0.0/8, 192.168.1.4`. A misspelt range would allow nothing, so the agent refuses to start with one. */
const ranges = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((range) => range.trim() || []))
  .refine(areAddressRanges, 'must be ranges of addresses as 10.0.0.0/8, with commas between them');

function areAddressRanges(addressRanges: readonly string[]): boolean {
  try {
    outboundRule({ allowsPrivate: false, ranges: addressRanges });
    return true;
  } catch {
    return false;
  }
}

const isWebAddress = (url: string) => z.url({ protocol: /^https?$/ }).safeParse(url).success;

/** `https://one.example/, https://other.example/`, or `none`, because an empty variable counts as unset. */
const webAddresses = z
  .string()
  .default('https://api.wordpress.org/,https://www.cloudflare.com/')
  .transform((text) => (text.trim() === 'none' ? [] : text.split(',').flatMap((url) => url.trim() || [])))
  .refine((urls) => urls.every(isWebAddress), 'must be addresses as https://example.com/, with commas between them');

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...redisEnv,
    VIGIE_STORE: z.string().refine(isStoreUrl, storeRefusal),
    /** Private networks in which servers of clients are allowed. */
    VIGIE_SSH_ALLOW: ranges,
    /** Private networks in which sites of clients may be visited. */
    VIGIE_HTTP_ALLOW: ranges,
    /** Addresses that tell whether the agent's own network works. */
    VIGIE_CANARY_URLS: webAddresses,
    /** How many operations one agent runs at once. Most of them wait for their host. */
    VIGIE_AGENT_OPERATIONS: z.coerce.number().int().min(1).max(256).default(16),
    /** Replaces the API of WordPress.org for hosts that cannot reach it. */
    VIGIE_WORDPRESS_API_URL: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
    /** The list of the registries of domains; `none`, because an empty variable counts as unset, asks no registry. */
    VIGIE_RDAP_URL: z
      .string()
      .default('https://data.iana.org/rdap/dns.json')
      .refine(
        (url) => url === 'none' || isWebAddress(url),
        'must be an address as https://example.com/list.json, or none',
      )
      .transform((url) => (url === 'none' ? null : url)),
    /** Replaces Telegram by a server of its Bot API that runs elsewhere. */
    VIGIE_TELEGRAM_URL: z.url({ protocol: /^https?$/ }).default('https://api.telegram.org'),
  }),
);
