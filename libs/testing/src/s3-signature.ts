import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Credentials = { accessKeyId: string; secretAccessKey: string; region: string };

const maxSkewMs = 15 * 60_000;
const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Checks Signature Version 4 independently of the product's library; returns S3's error code, or undefined. */
export function refusalOf(request: IncomingMessage, body: Buffer, credentials: Credentials): string | undefined {
  const [, id, day = '', region, names = '', signature = ''] = form.exec(request.headers.authorization ?? '') ?? [];
  if (id !== credentials.accessKeyId) return id === undefined ? 'AccessDenied' : 'InvalidAccessKeyId';
  const date = headerOf(request, 'x-amz-date');
  const digest = headerOf(request, 'x-amz-content-sha256');
  if (region !== credentials.region || !date.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (Math.abs(Date.now() - timeOf(date)) > maxSkewMs) return 'RequestTimeTooSkewed';
  if (digest !== hashOf(body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return 'AccessDenied';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, hashOf(canonical(request, signed, digest))].join('\n');
  const key = [day, region ?? '', 's3', 'aws4_request'].reduce<Buffer | string>(
    (last, part) => hmac(last, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const isRight = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return isRight ? undefined : 'SignatureDoesNotMatch';
}

function canonical(request: IncomingMessage, signed: readonly string[], digest: string): string {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const pairs = query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const headers = signed.map((name) => `${name}:${headerOf(request, name).trim()}\n`);
  return [request.method, path, pairs.toSorted().join('&'), headers.join(''), signed.join(';'), digest].join('\n');
}

const headerOf = ({ headers }: IncomingMessage, name: string) => String(headers[name] ?? '');

const timeOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
