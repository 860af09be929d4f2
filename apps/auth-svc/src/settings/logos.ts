import { logoRefusal } from './logo-refusal';
import { sanitisePng } from './png';
import { sanitiseWebp } from './webp';

const readers: Record<string, (bytes: Buffer) => Buffer | undefined> = {
  'image/png': sanitisePng,
  'image/webp': sanitiseWebp,
};

/** Returns the logo that may be stored, or refuses bytes that are not of the declared type. */
export function sanitiseLogo(dataUri: string): string {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUri) ?? [];
  const sanitised = readers[type]?.(Buffer.from(base64, 'base64'));
  if (!sanitised) throw logoRefusal('ce fichier n’est pas une image PNG ou WebP valide.');
  return `data:${type};base64,${sanitised.toString('base64')}`;
}
