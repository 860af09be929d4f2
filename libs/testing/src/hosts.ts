import { type Answer, type TestProduct } from './product';
import { hostPassword, type SshHost } from './sshd';

/** The form of a server on a real host, with the user whose shell is sh. */
export const aServer = ({ port }: Pick<SshHost, 'port'>, fields: Record<string, unknown> = {}) => ({
  name: 'web-03',
  host: '127.0.0.1',
  port,
  user: 'sh',
  auth: { password: hostPassword },
  ...fields,
});

export type ServerAnswer = Answer & { id: string };

/** Reads a server's status until its probe is over; the gateway answers before a slow probe ends. */
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
  const answer = await product.requestPatiently('POST', '/api/servers', { token, body: form, headers });
  if (answer.status !== 201) throw new Error(`no server: ${answer.status} ${answer.text}`);
  return { ...answer, id: String(answer.body['id']) };
}
