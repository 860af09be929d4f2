import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import { expect, it } from 'vitest';
import { makeDecoyKey } from './decoy-key';

it('is a key on P-256 for ES256, another one each time', () => {
  const key = decodeCredentialPublicKey(new Uint8Array(makeDecoyKey()));
  const entries = [...(key as unknown as Map<number, unknown>)];
  const coordinate = expect.objectContaining({ length: 32 });
  expect(entries).toEqual([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate],
    [-3, coordinate],
  ]);
  expect(makeDecoyKey()).not.toEqual(makeDecoyKey());
});
