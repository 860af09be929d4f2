import { isIPv6 } from 'node:net';

/** One household has a whole /64 of IPv6 addresses; a mapped IPv4 address is that IPv4 address. */
export const network = (address: string): string => prefixOf(address, 4);

/** What a provider hands to one customer who asks for more: a /48. Of IPv4 it is the address. */
export const wideNetwork = (address: string): string => prefixOf(address, 3);

/** The first groups of 16 bits, written in one way however the address was. */
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

/** Its last 32 bits may be written as an IPv4 address. */
function pairsOf(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const bytesOf = (groups: readonly number[]) => groups.flatMap((group) => [group >> 8, group & 255]);
