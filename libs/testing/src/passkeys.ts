import { Authenticator } from './authenticator';
import type { Person } from './people';
import type { Answer, TestProduct } from './product';

/** The options as the routes send them. */
type Options = Parameters<Authenticator['create']>[0];

/** Begins the creation of a passkey. */
export async function passkeyOptions(
  product: TestProduct,
  { token, credentials: { password } }: { token: string; credentials: Person },
): Promise<Options> {
  const { status, text, body } = await product.requestPatiently('POST', '/api/passkeys/options', {
    token,
    body: { password },
  });
  if (status !== 200) throw new Error(`no options: ${text}`);
  return body as Options;
}

/** Adds a passkey to the account of a session, and returns it with the recovery codes of a first second factor. */
export async function addPasskey(
  product: TestProduct,
  user: { token: string; credentials: Person },
  { name = 'Ordinateur', authenticator = new Authenticator() } = {},
) {
  const { token } = user;
  const response = authenticator.create(await passkeyOptions(product, user));
  const made = await product.requestPatiently('POST', '/api/passkeys', { token, body: { name, response } });
  if (made.status !== 201) throw new Error(`no passkey: ${made.text}`);
  return { authenticator, id: String(made.body['id']), codes: made.body['backup_codes'] as string[] };
}

export async function loginByPasskey(product: TestProduct, authenticator: Authenticator): Promise<Answer> {
  const { body } = await product.request('POST', '/api/auth/passkey/options', { body: {} });
  const response = authenticator.use(body as Parameters<Authenticator['use']>[0]);
  return product.request('POST', '/api/auth/passkey', { body: { response } });
}

/** Stores a passkey beside the 2FA of its owner, who logs in by password elsewhere; the body of its deletion comes with it. */
export async function storePasskey(product: TestProduct, owner: Person) {
  const { rows } = await product.database.query<{ id: string }>(
    `insert into auth.passkeys (id, user_id, rp_id, credential_id, public_key, counter, transports, name, is_backup_eligible, is_synced)
     select gen_random_uuid(), id, 'localhost', gen_random_uuid()::text, '', 0, '{}', 'n', false, false from auth.users where email = $1
     returning id`,
    [owner.email],
  );
  return { params: { id: rows[0]?.id ?? '' }, body: { password: owner.password } };
}
