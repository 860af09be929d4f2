import { createHmac } from 'node:crypto';
import { type Sealed, seal } from '@vigie/vault/seal';
import type { KeyFile } from './keys';
import { unsealWith } from './live-keys';

/** What a service does with its own keys for what it keeps: the place is table, row and column. */
export class KeyRing {
  constructor(private readonly keys: Pick<KeyFile, 'process' | 'opens' | 'readers' | 'pepper'>) {}

  /** Only this service opens it again, and only at this place. */
  async seal(text: string, place: string): Promise<Sealed> {
    const [reader] = this.keys.readers[this.keys.process];
    if (!reader) throw new Error(`no public key of ${this.keys.process}`);
    return seal(text, reader, place);
  }

  async unseal(sealed: Sealed, place: string): Promise<string> {
    return unsealWith(this.keys, sealed, place);
  }

  /** A hash that nobody without the key file can guess the text of, however short it is. */
  hash(text: string, purpose: string): string {
    return createHmac('sha256', this.keys.pepper).update(`${purpose}|${text}`).digest('base64url');
  }
}
