import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { testFolder } from '@vigie/testing/test-folder';
import { generateKey, importKey } from './keys';
import { text, uint32 } from './wire';

const passphrase = 'l’été sur la jetée';
const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { encoding: 'utf8', stdio: 'pipe' });
const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
const newKeyFile = () => join(testFolder('keys'), 'key');

/** A key written by `ssh-keygen`, with its public half and fingerprint. */
function keyOf(type: string[], { format = 'RFC4716', secret = '' } = {}) {
  const file = newKeyFile();
  keygen('-q', '-t', ...type, '-m', format, '-N', secret, '-C', '', '-f', file);
  return {
    text: readFileSync(file, 'utf8'),
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
    fingerprint: keygen('-l', '-f', `${file}.pub`).split(' ')[1],
  };
}

/** The public key that OpenSSH reads in a private key that Vigie wrote. */
function publicBySsh(privateKey: string): string {
  const file = newKeyFile();
  writeFileSync(file, privateKey, { mode: 0o600 });
  return keygen('-y', '-P', '', '-f', file).trim();
}

function refusal(pasted: string, secret?: string): string {
  try {
    importKey(pasted, secret);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error.message;
    throw error;
  }
  throw new Error('the key was accepted');
}

const types = [
  ['ed25519'],
  ['ecdsa', '-b', '256'],
  ['ecdsa', '-b', '384'],
  ['ecdsa', '-b', '521'],
  ['rsa', '-b', '2048'],
];
const cases = types.flatMap((type) =>
  ['RFC4716', 'PEM', 'PKCS8'].flatMap((format) => ['', passphrase].map((secret) => ({ type, format, secret }))),
);

describe('a pasted key', () => {
  it.each(cases)('is imported without a passphrase: $type, $format, “$secret”', ({ type, format, secret }) => {
    const { text: pasted, publicKey, fingerprint } = keyOf(type, { format, secret });
    const imported = importKey(pasted, secret);
    expect(imported).toMatchObject({ publicKey, fingerprint });
    expect(imported.privateKey).not.toContain('ENCRYPTED');
    expect(publicBySsh(imported.privateKey)).toBe(publicKey);
  });

  it('survives the changes of forms and mail clients', () => {
    const { text: pasted, publicKey } = keyOf(['rsa', '-b', '2048'], { format: 'PEM', secret: passphrase });
    const lines = pasted.split('\n');
    for (const changed of [
      lines.join('\r\n'),
      `\uFEFF${pasted}`,
      lines.map((line) => `  ${line} `).join('\n'),
      lines.join('\r'),
    ])
      expect(importKey(`Bonjour,\n\n${changed}\n\nBien à vous`, passphrase).publicKey).toBe(publicKey);
  });

  it('ignores a passphrase when none protects it', () => {
    const { text: pasted, publicKey } = keyOf(['ed25519']);
    expect(importKey(pasted, 'inutile').publicKey).toBe(publicKey);
  });

  it.each(['RFC4716', 'PEM', 'PKCS8'])('needs its passphrase, and the right one: %s', (format) => {
    const { text: pasted } = keyOf(['rsa', '-b', '2048'], { format, secret: passphrase });
    expect(refusal(pasted)).toMatch(/protégée par une phrase secrète/);
    expect(refusal(pasted, 'autre chose')).toBe('La phrase secrète n’ouvre pas cette clé.');
  });
});

const writtenBy = (command: string, ...args: string[]) => {
  const file = newKeyFile();
  openssl(command, '-out', file, ...args);
  return readFileSync(file, 'utf8');
};

/** A key whose halves do not match. */
function mismatchedHalves(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { d, dp, dq, ...rest } = createPrivateKey(privateKey).export({ format: 'jwk' });
  const tampered: JsonWebKey = { ...rest, d: dp ?? '', dp: dq ?? '', dq: dp ?? '' };
  expect(d).toBeDefined();
  return createPrivateKey({ key: tampered, format: 'jwk' }).export({ type: 'pkcs1', format: 'pem' }).toString();
}

const armour = (body: Buffer) =>
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
const bodyOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
const none = text('none');
const withHeader = (...parts: Buffer[]) => armour(Buffer.concat([Buffer.from('openssh-key-v1\0'), ...parts]));

/** A sound key whose head says that its passphrase is hashed two thousand million times. */
function slowKey(): string {
  const body = bodyOf(keyOf(['ed25519'], { secret: passphrase }).text);
  const at = body.indexOf('bcrypt') + 'bcrypt'.length + 4 + 4 + 16;
  body.writeUInt32BE(2 ** 31, at);
  return armour(body);
}

describe('an unusable key', () => {
  const pkcs8 = (...options: string[]) =>
    writtenBy(
      'pkcs8',
      '-topk8',
      '-in',
      writtenFile(keyOf(['rsa', '-b', '2048'], { format: 'PEM' }).text),
      '-passout',
      'pass:x',
      ...options,
    );
  const refused: [string, () => string, RegExp][] = [
    ['a PuTTY key', () => 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', /PuTTY.*puttygen/],
    [
      'a FIDO key',
      () => withHeader(none, none, text(''), uint32(1), text(text('sk-ssh-ed25519@openssh.com')), text('')),
      /FIDO/,
    ],
    ['a public key', () => keyOf(['ed25519']).publicKey, /clé publique/],
    [
      'a public key in PEM',
      () => writtenBy('pkey', '-pubout', '-in', writtenFile(writtenBy('genpkey', '-algorithm', 'ed25519'))),
      /clé publique/,
    ],
    // OpenSSH no longer generates DSA keys.
    ['a DSA key', () => withHeader(none, none, text(''), uint32(1), text(text('ssh-dss')), text('')), /DSA/],
    ['a certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /certificat/],
    ['another curve', () => writtenBy('ecparam', '-name', 'secp256k1', '-genkey', '-noout'), /Ed25519, ECDSA ou RSA/],
    [
      'a curve that has no name in SSH',
      () => writtenBy('ecparam', '-name', 'brainpoolP256r1', '-genkey', '-noout'),
      /Ed25519, ECDSA ou RSA/,
    ],
    ['another algorithm', () => writtenBy('genpkey', '-algorithm', 'ed448'), /Ed25519, ECDSA ou RSA/],
    ['a short RSA key', () => writtenBy('genrsa', '-traditional', '1024'), /1024 bits/],
    [
      'two keys in one file',
      () => withHeader(none, none, text(''), uint32(2), text(text('ssh-ed25519')), text('')),
      /abîmée/,
    ],
    ['mismatched halves', mismatchedHalves, /abîmée/],
    ['a passphrase that is hashed for days', slowKey, /trop de calcul/],
    ['the same in PKCS#8', () => pkcs8('-iter', '3000000'), /trop de calcul/],
    ['a passphrase that takes much memory', () => pkcs8('-scrypt'), /trop de calcul/],
    ['no key', () => 'bonjour', /n’est pas une clé privée/],
    ['nothing', () => '', /n’est pas une clé privée/],
  ];

  it.each(refused)('%s is refused with its remedy', (_name, write, sentence) => {
    expect(refusal(write(), 'x')).toMatch(sentence);
  });

  it.each(['RFC4716', 'PEM', 'PKCS8'])('a truncated file is refused with a sentence: %s', (format) => {
    const whole = keyOf(['ecdsa', '-b', '256'], { format }).text.trim();
    const end = whole.slice(whole.lastIndexOf('\n'));
    for (let length = 0; length < whole.length - end.length - 4; length += 7) {
      expect(refusal(whole.slice(0, length))).toMatch(/^[A-ZÀ-Ý]/);
      expect(refusal(whole.slice(0, length) + end)).toMatch(/^[A-ZÀ-Ý]/);
    }
  });
});

function writtenFile(content: string): string {
  const file = newKeyFile();
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

it('generates different keys that OpenSSH accepts', () => {
  const [one, other] = [generateKey(), generateKey()];
  expect(publicBySsh(one.privateKey)).toBe(one.publicKey);
  expect(one.publicKey).toMatch(/^ssh-ed25519 [\w+/=]{68}$/);
  expect(other.publicKey).not.toBe(one.publicKey);
});
