import { AppError } from '@vigie/contracts/errors';
import { sanitiseSvg } from './svg';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostPixels = 4_096;

const refusal = (why: string) => new AppError('invalid', `Ce logo est refusé\u00a0: ${why}`);

/** The logo as it may be stored, or a refusal: what the bytes are counts, not what the address calls them. */
export function sanitiseLogo(dataUri: string): string {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUri) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (type === 'image/svg+xml') return toDataUri(type, Buffer.from(readSvg(bytes)));
  if (type === 'image/png' && isPng(bytes)) return toDataUri(type, bytes);
  if (type === 'image/webp' && isWebp(bytes)) return toDataUri(type, bytes);
  throw refusal('ce fichier n’est pas l’image PNG, WebP ou SVG qu’il dit être.');
}

function readSvg(bytes: Buffer): string {
  try {
    return sanitiseSvg(bytes.toString('utf8'));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refusal('ce SVG n’est pas lisible.');
  }
}

function isPng(bytes: Buffer): boolean {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(png) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return false;
  // A few bytes may claim to be a picture that fills a browser's memory.
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return sides.every((side) => side > 0 && side <= mostPixels);
}

const isWebp = (bytes: Buffer): boolean =>
  bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

const toDataUri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
