import { expect, it } from 'vitest';
import { isPrivateAddress } from './private-addresses';

it.each([
  ['10.0.0.1', true],
  ['172.31.255.255', true],
  ['192.168.1.1', true],
  ['127.0.0.1', true],
  ['100.64.0.1', true],
  ['169.254.169.254', true],
  ['::1', true],
  ['::ffff:10.0.0.1', true],
  ['fd12::1', true],
  ['fe80::1', true],
  ['172.32.0.1', false],
  ['203.0.113.1', false],
  ['2a01:4f8::1', false],
  ['exemple.fr', false],
])('%s is private: %s', (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});
