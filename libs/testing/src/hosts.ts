import { type Answer, type TestProduct } from './product';
import { hostPassword, type SshHost } from './sshd';

/** A server's form for a real host, logging in as the user of a plain shell. */
export const aServer = ({ port }: Pick<SshHost, 'port'>, fields: Record<string, unknown> = {}) => ({
  name: 'web-03',
  host: '127.0.0.1',
  port,
  user: 'sh',
  auth: { password: hostPassword },
  ...fields,
});

export type ServerAnswer = Answer & { id: string };

/** What a look at a server saw, however long it took: a gateway answers before that. */
export async function readStatusOf(
  product: TestProduct,
  token: string,
  id: string,
  query = '',
): Promise<Answer['body']> {
  for (;;) {
    const { status, body, text } = await product.request('GET', `/api/servers/${id}/status${query}`, { token });
    if (status !== 200) throw new Error(`no status: ${status} ${text}`);
    if (body['refreshing'] === false) return body;
  }
}

export async function addServer(
  product: TestProduct,
  token: string,
  form: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<ServerAnswer> {
  const answer = await product.request('POST', '/api/servers', { token, body: form, headers });
  if (answer.status !== 201) throw new Error(`no server: ${answer.status} ${answer.text}`);
  return { ...answer, id: String(answer.body['id']) };
}
