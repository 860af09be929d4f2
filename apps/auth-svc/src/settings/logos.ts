import { AppError } from '@vigie/contracts/errors';
import { logoMaxBytes } from '@vigie/contracts/settings';
import { logoRefusal } from './logo-refusal';
import { sanitiseSvg } from './svg';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostPixels = 4_096;

/** The logo as it may be stored, or a refusal: what the bytes are counts, not what the address calls them. */
export function sanitiseLogo(dataUri: string): string {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUri) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const stored = `data:${type};base64,${sanitise(type, bytes).toString('base64')}`;
  // To sanitise can lengthen, and the answer that carries both logos must fit on the bus.
  if (stored.length > logoMaxBytes)
    throw logoRefusal(`une fois nettoyé, il dépasse ${logoMaxBytes / 1024}\u00a0Ko. Simplifiez-le, puis réessayez.`);
  return stored;
}

function sanitise(type: string, bytes: Buffer): Buffer {
  if (type === 'image/svg+xml') return Buffer.from(readSvg(bytes));
  if (type === 'image/png' && isPng(bytes)) return bytes;
  if (type === 'image/webp' && isWebp(bytes)) return bytes;
  throw logoRefusal('ce fichier n’est pas l’image PNG, WebP ou SVG qu’il dit être.');
}

function readSvg(bytes: Buffer): string {
  try {
    return sanitiseSvg(bytes.toString('utf8'));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw logoRefusal('ce SVG n’est pas lisible.');
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
