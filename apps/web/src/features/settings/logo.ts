import { logoMaxBytes } from '@vigie/contracts/settings';
import { drawSvg } from './draw-svg';

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

async function checkDraws(uri: string): Promise<void> {
  const image = new Image();
  image.src = uri;
  await image.decode();
}

/** `File.text` ignores the encoding that the file declares. */
async function textOf(file: File): Promise<string> {
  const text = await file.text();
  const encoding = /^<\?xml[^>]*\sencoding=["']([^"']+)/.exec(text)?.[1] ?? 'utf-8';
  return /^utf-?(?:8|16)/i.test(encoding) ? text : new TextDecoder(encoding).decode(await file.arrayBuffer());
}

export type LogoResult = { uri: string } | { refusal: string };

const refuseSize = (bytes: number) => ({
  refusal: `Ce logo est trop volumineux (${Math.ceil(bytes / kibibyte)}\u00a0Ko)\u00a0: ${maxSize} au plus.`,
});

/** Returns the data URI of a file, or why it was refused. An SVG becomes a PNG, because only a picture cannot act. */
export async function readLogo(file: File): Promise<LogoResult> {
  const type = typeOf(file);
  if (!Object.values(types).includes(type)) return { refusal: 'Ce fichier n’est pas une image PNG, WebP ou SVG.' };
  if (file.size > maxBytes) return refuseSize(file.size);
  try {
    const picture = type === types['svg'] ? await drawSvg(await textOf(file), maxBytes) : new Blob([file], { type });
    if (picture === undefined)
      return {
        refusal: 'Ce SVG n’a pas de taille. Enregistrez-le avec une largeur et une hauteur en pixels, puis réessayez.',
      };
    const uri = await asDataUri(picture);
    await checkDraws(uri);
    return { uri };
  } catch {
    return { refusal: 'Cette image est illisible. Enregistrez-la de nouveau, puis réessayez.' };
  }
}
