import type { Answer, TestProduct } from './product';

type Options = { token: string; kind?: string; query?: string; headers?: Record<string, string> };

export const sendArchive = (
  product: TestProduct,
  archive: Buffer,
  filename: string,
  { kind = 'plugins', query = '', ...options }: Options,
): Promise<Answer> => sendFile(product, `/api/uploads/${kind}${query}`, { content: archive, filename, ...options });

type Sent = { content: Buffer; filename: string } & Pick<Options, 'token' | 'headers'>;

export async function sendFile(
  product: TestProduct,
  path: string,
  { content, filename, token, headers = {} }: Sent,
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)]), filename);
  const response = await fetch(`${product.gateways[0]}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
