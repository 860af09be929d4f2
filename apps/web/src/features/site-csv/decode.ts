import { maxFileSize, tooLarge } from '@vigie/contracts/site-csv-file';

const unreadable = 'Ce fichier n’a pas pu être lu. Vérifiez qu’il est encore là, puis choisissez-le de nouveau.';

/** The text of a file from a spreadsheet: UTF-8, UTF-16 with its mark, or what French versions of Excel write. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export async function readFile(file: File): Promise<{ text: string } | { refusal: string }> {
  if (file.size > maxFileSize) return { refusal: tooLarge };
  try {
    return { text: decode(new Uint8Array(await file.arrayBuffer())) };
  } catch {
    return { refusal: unreadable };
  }
}
