import { createHmac } from 'node:crypto';
import { type Sealed, seal } from '@vigie/vault/seal';
import type { KeyFile } from './keys';
import { unsealWith } from './live-keys';

/** Seals, unseals and hashes what a service stores. The context of a seal is table, row and column. */
export class KeyRing {
  constructor(private readonly keys: Pick<KeyFile, 'process' | 'opens' | 'readers' | 'pepper'>) {}

  /** Only this service can unseal the value, and only with the same context. */
  async seal(text: string, context: string): Promise<Sealed> {
    const [reader] = this.keys.readers[this.keys.process];
    if (!reader) throw new Error(`no public key of ${this.keys.process}`);
    return seal(text, reader, context);
  }

  async unseal(sealed: Sealed, context: string): Promise<string> {
    return unsealWith(this.keys, sealed, context);
  }

  /** A keyed hash: without the key file nobody can guess even a short text from it. */
  hash(text: string, purpose: string): string {
    return createHmac('sha256', this.keys.pepper).update(`${purpose}|${text}`).digest('base64url');
  }
}
