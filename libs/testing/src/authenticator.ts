import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };

/** What an authenticator or browser may get wrong, on purpose. */
export type Faults = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isUserVerified?: boolean;
  isUserPresent?: boolean;
  type?: string;
  isCrossOrigin?: boolean;
  userHandle?: string | null;
  attestation?: { fmt: string; statement: Cbor };
};

const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, hasKey: 0x40 };

/** An authenticator and its browser in software: it makes one passkey, and signs with its real key. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  readonly credentialId = randomBytes(32).toString('base64url');
  userHandle = '';
  /** The number of uses; 0 for ever when it does not count. */
  counter = 0;

  constructor(
    private readonly origin = 'http://localhost:8080',
    private readonly options: { isCounting?: boolean; isSynced?: boolean } = {},
  ) {}

  /** As `startRegistration` of the browser. */
  create({ challenge, rp, user }: CreationOptions, faults: Faults = {}) {
    this.userHandle = user.id;
    const idBytes = Buffer.from(this.credentialId, 'base64url');
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(idBytes.length);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, idBytes, this.publicKey()]);
    const authData = Buffer.concat([this.authenticatorData(rp.id, faults, flag.hasKey), credential]);
    const { fmt, statement } = faults.attestation ?? { fmt: 'none', statement: new Map() };
    const attestation = encode(
      new Map<Cbor, Cbor>([
        ['fmt', fmt],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    );
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge, faults).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** As `startAuthentication` of the browser. */
  use({ challenge, rpId }: RequestOptions, faults: Faults = {}) {
    if (this.options.isCounting) this.counter += 1;
    const clientData = this.clientData('webauthn.get', challenge, faults);
    const authData = this.authenticatorData(rpId, faults);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    const userHandle = faults.userHandle === undefined ? this.userHandle : faults.userHandle;
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      ...(userHandle !== null && { userHandle }),
    });
  }

  private answer<R>(response: R) {
    const { credentialId: id } = this;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, faults: Faults): Buffer {
    const data = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? this.origin,
      crossOrigin: faults.isCrossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  private authenticatorData(rpId: string, faults: Faults, moreFlags = 0): Buffer {
    const { isUserPresent = true, isUserVerified = true } = faults;
    const flags =
      moreFlags +
      (isUserPresent ? flag.userPresent : 0) +
      (isUserVerified ? flag.userVerified : 0) +
      (this.options.isSynced ? flag.backupEligible + flag.backedUp : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const hash = createHash('sha256').update(faults.rpId ?? rpId);
    return Buffer.concat([hash.digest(), Buffer.of(flags), counter]);
  }

  /** In COSE: a key on P-256, for ES256. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = createPublicKey(this.keys.publicKey).export({ format: 'jwk' });
    return encode(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }
}

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** The part of CBOR that authenticators use. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, field]) => [encode(key), encode(field)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  const items = [...(value as readonly Cbor[])];
  return Buffer.concat([head(4, items.length), ...items.map(encode)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of(major * 32 + length);
  if (length < 256) return Buffer.of(major * 32 + 24, length);
  return Buffer.of(major * 32 + 25, Math.floor(length / 256), length % 256);
}
