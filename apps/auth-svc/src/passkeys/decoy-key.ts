import { createECDH } from 'node:crypto';

/** A public key in COSE that nobody can sign for: an unknown passkey takes as long to refuse as a known one. */
export function makeDecoyKey(): Buffer {
  const point = createECDH('prime256v1').generateKeys().subarray(1);
  // A map of five: key type EC2, algorithm ES256, curve P-256, x and y.
  const head = Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 1);
  return Buffer.concat([
    head,
    Buffer.of(0x21, 0x58, 32),
    point.subarray(0, 32),
    Buffer.of(0x22, 0x58, 32),
    point.subarray(32),
  ]);
}
