import { parse } from 'tldts';

/**
 * The domain that somebody has registered for this address, in ASCII: `boutique.fr` of `https://www.boutique.fr/blog`. Null
 * where there is none that its owner could lose: an address of a network, a single label, a name below the domain of a
 * provider such as `github.io`.
 */
export function registeredDomain(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { domain, isIcann } = parse(new URL(url).hostname, { allowPrivateDomains: true });
  return isIcann === true ? domain : null;
}
