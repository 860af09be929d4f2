import { BlockList, isIP } from 'node:net';
import { privateRanges, linkLocalRanges } from '@vigie/contracts/address-ranges';

const privates = new BlockList();
for (const range of [...privateRanges, ...linkLocalRanges]) {
  const [network = '', bits] = range.split('/');
  privates.addSubnet(network, Number(bits), isIP(network) === 4 ? 'ipv4' : 'ipv6');
}

/** A private address is unreachable from the Internet, and publishing it reveals an internal network. */
export function isPrivateAddress(text: string): boolean {
  const version = isIP(text);
  return version !== 0 && privates.check(text, version === 4 ? 'ipv4' : 'ipv6');
}
