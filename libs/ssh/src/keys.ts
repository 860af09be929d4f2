import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { AppError } from '@vigie/contracts/errors';
import ssh2 from 'ssh2';
import { type OpenSshHead, publicHalf, readHead, writeOpenSsh } from './openssh-key';

export type KeyPair = {
  /** In OpenSSH's format, without a passphrase. */
  privateKey: string;
  /** Type and blob, as at the start of a line of `authorized_keys`. */
  publicKey: string;
  fingerprint: string;
};

/** The key file chooses how long its decryption takes; these limits allow seconds on the slowest machine. */
const maxBcryptRounds = 128;
const maxPbkdf2Rounds = 2_000_000;
const rsaBits = { min: 2048, max: 16_384 };
const ecCurves = ['prime256v1', 'secp384r1', 'secp521r1'];

const refuse = (sentence: string) => new AppError('invalid', sentence);
const noPassphrase = () => refuse('Cette clé est protégée par une phrase secrète\u00a0: saisissez-la.');
const wrongPassphrase = () => refuse('La phrase secrète n’ouvre pas cette clé.');
const damaged = () =>
  refuse('Cette clé est abîmée\u00a0: recopiez le fichier entier, de la ligne BEGIN à la ligne END.');

/**
 * Generates PEM text and parses it: in Node 20, exporting a generated key while its generator is garbage-collected
 * deadlocks the process.
 */
export function generateKey(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return pairOf(createPrivateKey(privateKey));
}

/** Imports a private key in any usual format and removes its passphrase. */
export function importKey(pasted: string, passphrase = ''): KeyPair {
  const pem = normalise(pasted);
  const [block, label = ''] = /-----BEGIN ([A-Z0-9 ]+)-----\n[^]*\n-----END \1-----/.exec(pem) ?? [];
  const foreign = foreignFormat(pem, label);
  if (foreign !== undefined) throw refuse(foreign);
  if (block === undefined) throw label === '' && !pem.includes('-----BEGIN') ? refuse(noKey) : damaged();
  const key = label === 'OPENSSH PRIVATE KEY' ? openOpenSsh(block, passphrase) : openPem(block, label, passphrase);
  const weakness = weaknessOf(key);
  if (weakness !== undefined) throw refuse(weakness);
  if (!hasMatchingHalves(key)) throw damaged();
  return pairOf(key);
}

const noKey = 'Ce texte n’est pas une clé privée\u00a0: elle commence par «\u00a0-----BEGIN\u00a0».';

const pairOf = (key: KeyObject): KeyPair => ({ privateKey: writeOpenSsh(key), ...publicHalf(key) });

/** Undoes what mail clients and forms do to a file: a byte order mark, other line ends, blanks around lines. */
const normalise = (pasted: string) =>
  pasted
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .join('\n')
    .trim();

/** Explains why a recognised text is not a usable private key. */
function foreignFormat(pem: string, label: string): string | undefined {
  if (pem.startsWith('PuTTY-User-Key-File-')) {
    return 'Cette clé est au format PuTTY (.ppk)\u00a0: convertissez-la avec «\u00a0puttygen cle.ppk -O private-openssh -o cle\u00a0», puis collez le fichier obtenu.';
  }
  if (/^(?:ssh-|ecdsa-|sk-)\S+ /.test(pem) || /-----? ?BEGIN (?:SSH2 |RSA )?PUBLIC KEY/.test(pem)) {
    return 'C’est une clé publique\u00a0: collez la clé privée, celle du fichier sans «\u00a0.pub\u00a0».';
  }
  if (label === 'CERTIFICATE') return 'C’est un certificat\u00a0: collez la clé privée.';
  if (label === 'DSA PRIVATE KEY') return unsupported.dsa;
  return undefined;
}

const unsupported = {
  dsa: 'Les serveurs refusent les clés DSA\u00a0: faites-en une autre avec «\u00a0ssh-keygen -t ed25519\u00a0».',
  fido: 'Cette clé vit dans un appareil (FIDO) qui doit être touché à chaque connexion\u00a0: Vigie ne peut pas l’utiliser. Faites-en une autre avec «\u00a0ssh-keygen -t ed25519\u00a0».',
  other: 'Ce type de clé n’est pas pris en charge\u00a0: utilisez une clé Ed25519, ECDSA ou RSA.',
  slow: 'L’ouverture de cette clé demanderait trop de calcul\u00a0: réécrivez-la avec «\u00a0ssh-keygen -p -a 16 -f cle\u00a0».',
  cipher:
    'Le chiffrement de cette clé n’est pas pris en charge\u00a0: réécrivez-la avec «\u00a0ssh-keygen -p -f cle\u00a0».',
};

function openOpenSsh(pem: string, passphrase: string): KeyObject {
  const head = tryOrUndefined(() => readHead(bodyOf(pem)));
  if (!head || head.keys !== 1) throw damaged();
  const reason = refusalOf(head);
  if (reason !== undefined) throw refuse(reason);
  if (head.isEncrypted && passphrase === '') throw noPassphrase();
  // Passed as bytes: ssh2 takes the length of a string in characters for its length in bytes.
  const parsed = ssh2.utils.parseKey(pem, head.isEncrypted ? Buffer.from(passphrase) : undefined);
  if (parsed instanceof Error) {
    if (/unsupported cipher/i.test(parsed.message)) throw refuse(unsupported.cipher);
    throw head.isEncrypted ? wrongPassphrase() : damaged();
  }
  const key = tryOrUndefined(() => createPrivateKey(parsed.getPrivatePEM()));
  if (!key) throw damaged();
  return key;
}

function refusalOf({ type, rounds }: OpenSshHead): string | undefined {
  if (type.startsWith('sk-')) return unsupported.fido;
  if (type === 'ssh-dss') return unsupported.dsa;
  return rounds > maxBcryptRounds ? unsupported.slow : undefined;
}

function openPem(pem: string, label: string, passphrase: string): KeyObject {
  const isEncrypted = label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: ?4, ?ENCRYPTED/m.test(pem);
  if (label === 'ENCRYPTED PRIVATE KEY' && !isQuickToOpen(bodyOf(pem))) throw refuse(unsupported.slow);
  if (isEncrypted && passphrase === '') throw noPassphrase();
  const key = tryOrUndefined(() => createPrivateKey({ key: pem, passphrase: Buffer.from(passphrase) }));
  if (!key) throw isEncrypted ? wrongPassphrase() : damaged();
  return key;
}

/** Checks PBKDF2's rounds in a PKCS#8 file: the OID, then the salt, then the count. Other schemes are refused. */
function isQuickToOpen(der: Buffer): boolean {
  const name = Buffer.from('06092a864886f70d01050c', 'hex');
  const at = der.indexOf(name);
  if (at < 0) return false;
  // A sequence, an octet string, an integer; sound keys use short lengths.
  const salt = at + name.length + 2;
  const number = salt + 2 + (der[salt + 1] ?? 0);
  const length = der[number + 1] ?? 9;
  if (der[salt] !== 4 || der[number] !== 2 || length > 5) return false;
  return Number.parseInt(der.subarray(number + 2, number + 2 + length).toString('hex'), 16) <= maxPbkdf2Rounds;
}

function weaknessOf(key: KeyObject): string | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ed25519') return undefined;
  if (type === 'dsa') return unsupported.dsa;
  if (type === 'ec') return ecCurves.includes(details?.namedCurve ?? '') ? undefined : unsupported.other;
  if (type !== 'rsa') return unsupported.other;
  const bits = details?.modulusLength ?? 0;
  if (bits >= rsaBits.min && bits <= rsaBits.max) return undefined;
  return `Cette clé RSA compte ${bits} bits\u00a0: il en faut de ${rsaBits.min} à ${rsaBits.max}. Faites-en une autre avec «\u00a0ssh-keygen -t ed25519\u00a0».`;
}

/** Signs and verifies: a file whose halves do not match would otherwise fail only at the first login. */
function hasMatchingHalves(key: KeyObject): boolean {
  const message = Buffer.from('vigie');
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return tryOrUndefined(() => verify(algorithm, message, createPublicKey(key), sign(algorithm, message, key))) ?? false;
}

const bodyOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');

/** Swallows the error, because a library's message may quote the key. */
function tryOrUndefined<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
