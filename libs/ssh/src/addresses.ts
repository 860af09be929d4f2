import { BlockList, isIP, isIPv4 } from 'node:net';
import { privateRanges, linkLocalRanges } from '@vigie/contracts/address-ranges';

/** Where an address lies: `forbidden` is link-local, cloud metadata, multicast and reserved ranges. */
export type Zone = 'public' | 'private' | 'forbidden';

const forbiddenList = ranges(
  ...linkLocalRanges,
  '224.0.0.0/3',
  'ff00::/8',
  // Metadata services outside of link-local: Alibaba, Azure, Oracle, then AWS, Google and Scaleway by IPv6.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fd00:42::/32',
);
const privateList = ranges(
  ...privateRanges,
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
);

/** The rule for one owner: public addresses always, private ones when allowed or listed, forbidden ones never. */
export function outboundRule(rule: { allowsPrivate: boolean; ranges: readonly string[] }): (ip: string) => boolean {
  const listed = ranges(...rule.ranges);
  return (ip) => {
    const zone = zoneOf(ip);
    return zone === 'public' || (zone === 'private' && (rule.allowsPrivate || isIn(listed, ip)));
  };
}

/** The worst zone among an address and every IPv4 address that a gateway may extract from it. */
export function zoneOf(ip: string): Zone {
  if (isIP(ip) === 0 || ip.includes('%')) return 'forbidden';
  const all = [ip, ...embeddedIpv4(ip)];
  if (all.some((one) => isIn(forbiddenList, one))) return 'forbidden';
  return all.some((one) => isIn(privateList, one)) ? 'private' : 'public';
}

function isIn(list: BlockList, ip: string): boolean {
  const plain = (!isIPv4(ip) && isMapped(bytesOf(ip)) && embeddedIpv4(ip)[0]) || ip;
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** Accepts `10.0.0.0/8` or a single address, and throws on anything else. */
function ranges(...texts: string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [network = '', length, ...rest] = text.trim().split('/');
    const version = isIP(network);
    const bits = length === undefined ? (version === 4 ? 32 : 128) : /^\d{1,3}$/.test(length) ? Number(length) : -1;
    if (version === 0 || network.includes('%') || rest.length > 0 || bits < 0 || bits > (version === 4 ? 32 : 128)) {
      throw new Error(`not a range of addresses: ${text}`);
    }
    list.addSubnet(network, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The IPv4 addresses inside an IPv6 one: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function embeddedIpv4(ip: string): string[] {
  if (isIPv4(ip)) return [];
  const bytes = bytesOf(ip);
  const at = (...positions: number[]) => positions.map((index) => bytes[index] ?? 0).join('.');
  const starts = (...prefix: number[]) => prefix.every((byte, index) => bytes[index] === byte);
  const last = at(12, 13, 14, 15);
  if (isMapped(bytes)) return [last];
  // `::1` and `::` are themselves, not an IPv4 address.
  if (starts(0, 0, 0, 0, 0, 0, 0, 0)) return bytes.slice(8, 15).some((byte) => byte !== 0) ? [last] : [];
  if (starts(0, 0x64, 0xff, 0x9b, 0, 1)) {
    // The position of the address depends on a prefix length that only the gateway knows; zeros mean another position.
    return [last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)].filter((found) => !found.startsWith('0.'));
  }
  if (starts(0, 0x64, 0xff, 0x9b)) return [last];
  if (starts(0x20, 0x02)) return [at(2, 3, 4, 5)];
  if (starts(0x20, 0x01, 0, 0)) return [at(4, 5, 6, 7), last.replace(/\d+/g, (byte) => String(255 - Number(byte)))];
  return bytes[10] === 0x5e && bytes[11] === 0xfe ? [last] : [];
}

const isMapped = (bytes: readonly number[]) =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

function bytesOf(ip: string): number[] {
  const hexadecimal = ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = hexadecimal.split('::');
  const words = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)));
  const [left, right] = [words(head), words(tail ?? '')];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<number>(gap).fill(0), ...right].flatMap((word) => [word >> 8, word & 255]);
}
