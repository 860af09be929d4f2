import { BlockList, isIP } from 'node:net';

const ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
];

const privates = new BlockList();
for (const range of ranges) privates.addSubnet(...range);

/** Nobody on the Internet gets there, and whoever reads it learns of a network that is nobody's business. */
export function isPrivateAddress(text: string): boolean {
  const version = isIP(text);
  return version !== 0 && privates.check(text, version === 4 ? 'ipv4' : 'ipv6');
}
