import { createCipheriv, createDecipheriv } from 'node:crypto';

/** The side is part of the nonce, so that a frame cannot be sent back to its sender. */
const sides = { gateway: 1, agent: 2 } as const;
type Side = keyof typeof sides;

const counterBytes = 8;
const tagBytes = 16;

export type Frame = { kind: number; body: Buffer };

/** Seals numbered bytes between two processes, bound to their context and direction. */
export class SealedFrames {
  private sent = 0n;
  private expected = 0n;
  private readonly context: Buffer;

  constructor(
    private readonly key: Buffer,
    context: string,
    private readonly side: Side,
  ) {
    this.context = Buffer.from(context);
  }

  seal(kind: number, body: Uint8Array): Buffer {
    const counter = this.sent;
    this.sent += 1n;
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce(this.side, counter)).setAAD(this.context);
    const head = Buffer.alloc(counterBytes);
    head.writeBigUInt64BE(counter);
    return Buffer.concat([
      head,
      cipher.update(Buffer.of(kind)),
      cipher.update(body),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  /** Returns `missed` when earlier frames were lost, undefined for a forged or repeated frame. */
  open(bytes: Uint8Array): Frame | 'missed' | undefined {
    const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (sealed.length <= counterBytes + tagBytes) return undefined;
    const counter = sealed.readBigUInt64BE(0);
    if (counter < this.expected) return undefined;
    const plain = this.decipher(counter, sealed.subarray(counterBytes));
    if (!plain) return undefined;
    if (counter > this.expected) return 'missed';
    this.expected += 1n;
    return { kind: plain[0] ?? 0, body: plain.subarray(1) };
  }

  private decipher(counter: bigint, sealed: Buffer): Buffer | undefined {
    const other = this.side === 'gateway' ? 'agent' : 'gateway';
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, nonce(other, counter), { authTagLength: tagBytes });
      decipher.setAAD(this.context).setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

function nonce(side: Side, counter: bigint): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(sides[side]);
  bytes.writeBigUInt64BE(counter, 4);
  return bytes;
}
