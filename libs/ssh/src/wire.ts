/** The encoding of SSH (RFC 4251 §5), as keys and their files use it. */
export function text(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a big number from JWK's base64url; a leading one bit would make it negative, so a zero byte comes first. */
export function mpint(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.alloc(0) : bytes.subarray(first);
  return text((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

/** Reads fields in order and throws where the bytes end too early. */
export class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  text(): Buffer {
    return this.take(this.uint32());
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw new RangeError('the encoding ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
