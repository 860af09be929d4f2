import { logoMaxBytes } from '@vigie/contracts/settings';

const types: Record<string, string> = { png: 'image/png', webp: 'image/webp', svg: 'image/svg+xml' };
export const acceptedTypes = Object.values(types).join(',');

const kibibyte = 1024;
/** Base64 takes four characters for three bytes; a kibibyte is left for the prefix of the data URI. */
const maxBytes = Math.floor((logoMaxBytes - kibibyte) / 4) * 3;
export const maxSize = `${Math.floor(maxBytes / kibibyte)}\u00a0Ko`;

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Some systems report no type for WebP or SVG files. */
const typeOf = (file: File) => file.type || types[extensionOf(file.name)] || '';

function asDataUri(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(new Error('unreadable file')));
    reader.readAsDataURL(blob);
  });
}

function draw(uri: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve());
    image.addEventListener('error', () => reject(new Error('not an image')));
    image.src = uri;
  });
}

export type LogoResult = { uri: string } | { refusal: string };

/** Returns the data URI of a file, or why it was refused. */
export async function readLogo(file: File): Promise<LogoResult> {
  const type = typeOf(file);
  if (!Object.values(types).includes(type)) return { refusal: 'Ce fichier n’est pas une image PNG, WebP ou SVG.' };
  if (file.size > maxBytes) {
    const size = `${Math.ceil(file.size / kibibyte)}\u00a0Ko`;
    return { refusal: `Ce logo est trop volumineux (${size})\u00a0: ${maxSize} au plus.` };
  }
  try {
    const uri = await asDataUri(new Blob([file], { type }));
    await draw(uri);
    return { uri };
  } catch {
    return { refusal: 'Cette image est illisible. Enregistrez-la de nouveau, puis réessayez.' };
  }
}
