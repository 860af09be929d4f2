import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { kidOf, seal, unseal } from './seal';

function aReader(kid: string) {
  const { privateKey } = generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { d, ...open } = createPrivateKey(privateKey).export({ format: 'jwk' });
  return { secret: { ...open, d, kid }, open: { ...open, kid } };
}

it('opens a value with the reader’s key and the same context', async () => {
  const reader = aReader('a');
  const sealed = await seal('mot de passe é🔑', reader.open, 'auth.sessions.login|password');
  expect(JSON.stringify(sealed)).not.toContain('mot de passe');
  expect(await unseal(sealed, [reader.secret], 'auth.sessions.login|password')).toBe('mot de passe é🔑');
});

it('does not open a value in another context', async () => {
  const reader = aReader('a');
  const sealed = await seal('x', reader.open, 'servers|1|password');
  await expect(unseal(sealed, [reader.secret], 'servers|2|password')).rejects.toThrow();
});

it('does not open for another reader, even one that claims the same key id', async () => {
  const sealed = await seal('x', aReader('a').open, 'p');
  await expect(unseal(sealed, [aReader('b').secret], 'p')).rejects.toThrow('no key');
  await expect(unseal(sealed, [aReader('a').secret], 'p')).rejects.toThrow();
});

it('opens with an older key of the ring after a rotation', async () => {
  const old = aReader('old');
  const sealed = await seal('x', old.open, 'p');
  expect(await unseal(sealed, [aReader('new').secret, old.secret], 'p')).toBe('x');
});

it('refuses a flipped ciphertext, and a context inside the token', async () => {
  const reader = aReader('a');
  const sealed = await seal('xxxxxxxx', reader.open, 'p');
  const flipped = sealed.ciphertext.startsWith('A')
    ? `B${sealed.ciphertext.slice(1)}`
    : `A${sealed.ciphertext.slice(1)}`;
  await expect(unseal({ ...sealed, ciphertext: flipped }, [reader.secret], 'p')).rejects.toThrow();
  const smuggled = { ...sealed, aad: Buffer.from('p').toString('base64url') };
  await expect(unseal(smuggled, [reader.secret], 'q')).rejects.toThrow();
});

it('returns the id of its key, and undefined for anything else', async () => {
  expect(kidOf(await seal('x', aReader('a').open, 'p'))).toBe('a');
  for (const header of ['', '…', 'bm8', 'eyJhIjoxfQ']) expect(kidOf({ protected: header })).toBeUndefined();
});
