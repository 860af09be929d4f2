import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FakeParty } from './fake-party';
import { type Credentials, refusalOf } from './s3-signature';

type StoredObject = { bytes: Buffer; etag: string; at: Date };
type Upload = { key: string; at: Date; parts: Map<number, StoredObject> };
type S3Request = { operation: string; key: string; query: URLSearchParams; request: IncomingMessage; body: Buffer };
/** A fault of the next request of an operation. */
type Fault = { of: string; kind: 'slow-down' | 'cut' | 'wrong-etag' | 'vanish' | 'silent' };
type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string };

const bucket = 'vigie';
const minPart = 5 * 1_048_576;

class S3Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** The part of S3 that a file store needs, strict about signatures, parts and ranges, with small pages. */
export class FakeS3 extends FakeParty {
  private static port = 0;
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  readonly faults: Fault[] = [];
  readonly credentials: Credentials = {
    accessKeyId: 'vigie-s3-key',
    secretAccessKey: 'vigie-s3-secret',
    region: 'eu-west-3',
  };

  private constructor(private readonly perPage: number) {
    super();
  }

  /** Starts on the same port each time, because a process has one S3 client for its whole life. */
  static async start(perPage = 2): Promise<FakeS3> {
    const fake = await new FakeS3(perPage).listen(FakeS3.port);
    FakeS3.port = fake.port;
    return fake;
  }

  /** Environment by which the official library finds this server. */
  get env(): Record<string, string> {
    const { accessKeyId, secretAccessKey, region } = this.credentials;
    return {
      AWS_ENDPOINT_URL_S3: this.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    };
  }

  /** Sets this process's environment, which the client reads once. */
  serve(): void {
    Object.assign(process.env, this.env);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const parsed = parseRequest(request, Buffer.concat(parts));
    const fault = this.faultOf(parsed.operation);
    let reply: Reply;
    try {
      const refusal = refusalOf(request, parsed.body, this.credentials);
      if (refusal !== undefined) throw new S3Refusal(403, refusal);
      if (fault === 'slow-down') throw new S3Refusal(503, 'SlowDown');
      if (fault === 'silent') return;
      if (fault === 'vanish') return void request.socket.destroy();
      reply = this.reply(parsed, fault === 'wrong-etag');
    } catch (error) {
      reply = refusalReply(error);
    }
    send(response, request.method === 'HEAD', reply, fault === 'cut');
  }

  private faultOf(operation: string): Fault['kind'] | undefined {
    const at = this.faults.findIndex(({ of }) => of === operation);
    return at === -1 ? undefined : this.faults.splice(at, 1)[0]?.kind;
  }

  private reply(parsed: S3Request, isWrong: boolean): Reply {
    const { operation, key, query, body } = parsed;
    switch (operation) {
      case 'PutObject':
        return { status: 200, headers: { etag: this.store(key, body) } };
      case 'HeadObject':
      case 'GetObject':
        return readObject(this.objects.get(key), parsed.request);
      case 'DeleteObject':
        this.objects.delete(key);
        return { status: 204 };
      case 'CreateMultipartUpload':
        return this.begin(key);
      case 'UploadPart':
        return this.storePart(parsed, isWrong);
      case 'CompleteMultipartUpload':
        return this.complete(parsed);
      case 'AbortMultipartUpload':
        this.uploadOf(query);
        this.uploads.delete(query.get('uploadId') ?? '');
        return { status: 204 };
      case 'ListObjectsV2':
        return this.listObjects(query);
      case 'ListMultipartUploads':
        return this.listUploads(query);
      default:
        throw new S3Refusal(501, 'NotImplemented');
    }
  }

  private store(key: string, bytes: Buffer): string {
    const etag = etagOf(bytes);
    this.objects.set(key, { bytes, etag, at: new Date() });
    return etag;
  }

  private begin(key: string): Reply {
    const id = randomUUID();
    this.uploads.set(id, { key, at: new Date(), parts: new Map() });
    return xml(
      'InitiateMultipartUploadResult',
      `<Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
    );
  }

  private storePart({ query, body }: S3Request, isWrong: boolean): Reply {
    const number = Number(query.get('partNumber'));
    if (!Number.isInteger(number) || number < 1 || number > 10_000) throw new S3Refusal(400, 'InvalidArgument');
    this.uploadOf(query).parts.set(number, { bytes: body, etag: etagOf(body), at: new Date() });
    return { status: 200, headers: { etag: isWrong ? etagOf(Buffer.from('another')) : etagOf(body) } };
  }

  private complete({ key, query, body }: S3Request): Reply {
    const upload = this.uploadOf(query);
    const listedParts = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(text)?.[1]),
      etag: /<ETag>(.*?)</.exec(text)?.[1]?.replaceAll('&quot;', '"'),
    }));
    if (listedParts.length === 0) throw new S3Refusal(400, 'MalformedXML');
    const parts = listedParts.map(({ number, etag }, at) => {
      const part = upload.parts.get(number);
      if (!part || part.etag !== etag || upload.key !== key) throw new S3Refusal(400, 'InvalidPart');
      if (at > 0 && number <= (listedParts[at - 1]?.number ?? 0)) throw new S3Refusal(400, 'InvalidPartOrder');
      if (at < listedParts.length - 1 && part.bytes.length < minPart) throw new S3Refusal(400, 'EntityTooSmall');
      return part.bytes;
    });
    this.uploads.delete(query.get('uploadId') ?? '');
    const etag = this.store(key, Buffer.concat(parts));
    return xml('CompleteMultipartUploadResult', `<Bucket>${bucket}</Bucket><Key>${key}</Key><ETag>${etag}</ETag>`);
  }

  private listObjects(query: URLSearchParams): Reply {
    const { page, next } = this.pageOf([...this.objects.keys()], query, query.get('continuation-token'));
    const rows = page.map((key) => {
      const { at, bytes } = this.objects.get(key) ?? { at: new Date(), bytes: Buffer.alloc(0) };
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const more = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
    return xml('ListBucketResult', `<IsTruncated>${next !== undefined}</IsTruncated>${more}${rows.join('')}`);
  }

  private listUploads(query: URLSearchParams): Reply {
    const byKey = new Map([...this.uploads].map(([id, upload]) => [upload.key, { id, ...upload }]));
    const { page, next } = this.pageOf([...byKey.keys()], query, query.get('key-marker'));
    const rows = page.map((key) => {
      const { id = '', at } = byKey.get(key) ?? { at: new Date() };
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`;
    });
    const more = next === undefined ? '' : `<NextKeyMarker>${next}</NextKeyMarker>`;
    return xml('ListMultipartUploadsResult', `<IsTruncated>${next !== undefined}</IsTruncated>${more}${rows.join('')}`);
  }

  private pageOf(keys: readonly string[], query: URLSearchParams, after: string | null) {
    const matching = keys.filter((key) => key.startsWith(query.get('prefix') ?? '') && key > (after ?? '')).toSorted();
    const page = matching.slice(0, this.perPage);
    return { page, next: matching.length > this.perPage ? page.at(-1) : undefined };
  }

  private uploadOf(query: URLSearchParams): Upload {
    const upload = this.uploads.get(query.get('uploadId') ?? '');
    if (!upload) throw new S3Refusal(404, 'NoSuchUpload');
    return upload;
  }
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

function parseRequest(request: IncomingMessage, body: Buffer): S3Request {
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const [key, query] = [rest.join('/'), url.searchParams];
  const operation = name === bucket ? operationOf(request.method ?? '', key, query) : 'NoSuchBucket';
  return { operation, key, query, request, body };
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  if (key === '') return query.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2';
  if (query.has('uploads')) return 'CreateMultipartUpload';
  if (query.has('uploadId')) {
    return { PUT: 'UploadPart', POST: 'CompleteMultipartUpload', DELETE: 'AbortMultipartUpload' }[method] ?? '';
  }
  return { PUT: 'PutObject', HEAD: 'HeadObject', GET: 'GetObject', DELETE: 'DeleteObject' }[method] ?? '';
}

function readObject(stored: StoredObject | undefined, { headers }: IncomingMessage): Reply {
  if (!stored) throw new S3Refusal(404, 'NoSuchKey');
  const { bytes, etag } = stored;
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) throw new S3Refusal(412, 'PreconditionFailed');
  if (headers.range === undefined) return { status: 200, headers: { etag }, body: bytes };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range) ?? [];
  const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)];
  if (!(start <= end)) throw new S3Refusal(416, 'InvalidRange');
  const range = `bytes ${start}-${end}/${bytes.length}`;
  return { status: 206, headers: { etag, 'content-range': range }, body: bytes.subarray(start, end + 1) };
}

const xml = (name: string, inner: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${name}>`,
});

function refusalReply(error: unknown): Reply {
  const { status, code } = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError');
  return { ...xml('Error', `<Code>${code}</Code><Message>${code}</Message>`), status };
}

function send(
  response: ServerResponse,
  isHead: boolean,
  { status, headers = {}, body = '' }: Reply,
  isCut: boolean,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (isHead) return void response.end();
  if (!isCut) return void response.end(bytes);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
