import type { SshFailure } from '@vigie/ssh/failure';

/** Tells of what went. */
export async function* counted(content: AsyncIterable<Uint8Array>, onPart: (bytes: number) => void) {
  let bytes = 0;
  for await (const part of content) {
    yield part;
    bytes += part.length;
    onPart(bytes);
  }
}

export const isFull = ({ reason }: SshFailure) =>
  'said' in reason && /no space left|quota exceeded|file too large/i.test(reason.said);
