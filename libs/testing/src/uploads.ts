import type { Answer, TestProduct } from './product';

type Options = { token: string; kind?: string; query?: string; headers?: Record<string, string> };

/** As a browser sends it. */
export async function sendArchive(
  product: TestProduct,
  archive: Buffer,
  filename: string,
  { token, kind = 'plugins', query = '', headers = {} }: Options,
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)]), filename);
  const response = await fetch(`${product.gateways[0]}/api/uploads/${kind}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
