import { isIPv6 } from 'node:net';

/** A household has a whole /64 of IPv6 addresses, so these count as one; a mapped IPv4 address counts as IPv4. */
export const network = (address: string): string => prefixOf(address, 4);

/** The /48 that a provider gives one customer; for IPv4 the address itself. */
export const wideNetwork = (address: string): string => prefixOf(address, 3);

/** Returns the first groups of 16 bits in canonical form. */
function prefixOf(address: string, count: number): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.split('%')[0] ?? address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return bytesOf(groups.slice(6)).join('.');
  return groups
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');
}

function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map(readGroups);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

const readGroups = (text: string): number[] =>
  text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => (group.includes('.') ? pairsOf(group) : Number.parseInt(group, 16)));

/** The last 32 bits may be written as an IPv4 address. */
function pairsOf(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const bytesOf = (groups: readonly number[]) => groups.flatMap((group) => [group >> 8, group & 255]);
