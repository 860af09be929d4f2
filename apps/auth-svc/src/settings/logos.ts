import { AppError } from '@vigie/contracts/errors';
import { logoMaxBytes } from '@vigie/contracts/settings';
import { logoRefusal } from './logo-refusal';
import { sanitisePng } from './png';
import { sanitiseSvg } from './svg';
import { sanitiseWebp } from './webp';

/** Returns the logo that may be stored, or refuses bytes that are not of the declared type. */
export function sanitiseLogo(dataUri: string): string {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUri) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const stored = `data:${type};base64,${sanitise(type, bytes).toString('base64')}`;
  // Sanitising can lengthen a logo, and the answer that carries both logos must fit on the bus.
  if (stored.length > logoMaxBytes)
    throw logoRefusal(`une fois nettoyé, il dépasse ${logoMaxBytes / 1024}\u00a0Ko. Simplifiez-le, puis réessayez.`);
  return stored;
}

function sanitise(type: string, bytes: Buffer): Buffer {
  const sanitised = readers[type]?.(bytes);
  if (!sanitised) throw logoRefusal('ce fichier n’est pas une image PNG, WebP ou SVG valide.');
  return sanitised;
}

function readSvg(bytes: Buffer): Buffer {
  try {
    return Buffer.from(sanitiseSvg(bytes.toString('utf8')));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw logoRefusal('ce SVG n’est pas lisible.');
  }
}

const readers: Record<string, (bytes: Buffer) => Buffer | undefined> = {
  'image/svg+xml': readSvg,
  'image/png': sanitisePng,
  'image/webp': sanitiseWebp,
};
