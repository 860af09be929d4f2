import type { SshFailure } from '@vigie/ssh/failure';

/** Passes the content on, and reports how many bytes of it were taken. */
export async function* countBytes(content: AsyncIterable<Uint8Array>, onPart: (bytes: number) => void) {
  let bytes = 0;
  for await (const part of content) {
    yield part;
    bytes += part.length;
    onPart(bytes);
  }
}

export const isDiskFull = ({ reason }: SshFailure) =>
  'detail' in reason && /no space left|quota exceeded|file too large/i.test(reason.detail);
