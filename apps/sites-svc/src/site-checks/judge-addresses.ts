import { isProxyAddress } from './proxy-addresses';

/** What is known of the addresses of a name. */
export type KnownAddresses = {
  host: string;
  /** Those that are right: they were found while the site answered, or somebody said so. */
  known: string[];
  current: string[];
  /** What came before the last change that left no address as it was. */
  previous: string[];
  changed_at: Date | null;
  /** When the last of the known ones was learned. */
  learned_at: Date;
};

export type SeenAddresses = {
  host: string;
  /** None where the name has none, or nobody knows. */
  addresses: readonly string[];
  /** Whether the site answered, and is known to be a WordPress. */
  isGood: boolean;
  /** Whether the server of the site has this address, as far as Vigie knows. */
  isOfServer: (address: string) => boolean;
};

/**
 * `right`: the name leads where it should. `elsewhere`: to addresses that were never right. `none`: nobody can tell, or it leads
 * nowhere, which is an outage.
 */
export type AddressVerdict = 'right' | 'elsewhere' | 'none';
export type Judgement = { verdict: AddressVerdict; next: KnownAddresses | undefined };

/** A name whose addresses come from a large pool shows new ones within this time: none of them is wrong. */
const settlingMs = 86_400_000;
const maxKnown = 32;

/** Compares what a visit found with what is right, and says what is known from then on. */
export function judgeAddresses(stored: KnownAddresses | undefined, seen: SeenAddresses, now: Date): Judgement {
  if (!stored || stored.host !== seen.host) return begin(seen, now);
  if (seen.addresses.length === 0) return { verdict: 'none', next: undefined };
  const noted = noteCurrent(stored, seen.addresses, now);
  const isKnown = seen.addresses.some((address) => stored.known.includes(address));
  const hasProxy = stored.known.some(isProxyAddress);
  const isCertain = seen.addresses.some((address) => seen.isOfServer(address) || (hasProxy && isProxyAddress(address)));
  const isSettled = now.getTime() - stored.learned_at.getTime() >= settlingMs;
  if (!isKnown && !isCertain && isSettled) return { verdict: 'elsewhere', next: noted };
  if (!seen.isGood) return { verdict: isKnown || isCertain ? 'right' : 'none', next: noted };
  return { verdict: 'right', next: learn(noted, seen.addresses, isKnown || isCertain ? stored.learned_at : now) };
}

function begin({ host, addresses, isGood }: SeenAddresses, now: Date): Judgement {
  if (!isGood || addresses.length === 0) return { verdict: 'none', next: undefined };
  const current = [...addresses];
  const next = { host, known: current, current, previous: [], changed_at: null, learned_at: now };
  return { verdict: 'right', next };
}

function noteCurrent(stored: KnownAddresses, addresses: readonly string[], now: Date): KnownAddresses {
  const isOther = !addresses.some((address) => stored.current.includes(address));
  const change = isOther ? { previous: stored.current, changed_at: now } : {};
  return { ...stored, ...change, current: [...addresses] };
}

function learn(noted: KnownAddresses, addresses: readonly string[], at: Date): KnownAddresses {
  const fresh = addresses.filter((address) => !noted.known.includes(address));
  if (fresh.length === 0) return noted;
  return { ...noted, known: [...fresh, ...noted.known].slice(0, maxKnown), learned_at: at };
}
