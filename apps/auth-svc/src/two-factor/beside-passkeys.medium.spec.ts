import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { waitingFor } from '@vigie/testing/database';
import { addPasskey, passkeyOptions } from '@vigie/testing/passkeys';
import { addUser, totpOf } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let root: string;
let user: Awaited<ReturnType<typeof addUser>>;
let address: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());
// Attempts are counted per address, so each test uses an address of its own.
beforeEach(async () => {
  address = unusedAddress();
  user = await addUser(product, root);
});

const request = (method: string, path: string, body?: unknown, token = user.token) =>
  product.request(method, `/api/${path}`, {
    token,
    headers: { 'x-forwarded-for': address },
    ...(body !== undefined && { body }),
  });
const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
const list = async () => (await request('GET', 'passkeys')).body;
const status = async () => (await request('GET', 'auth/2fa/status')).body;

describe('an app beside a passkey', () => {
  const setUp = (body: object) => request('POST', 'auth/2fa/setup', body);
  const verify = ({ secret, backup_codes }: Record<string, unknown>) =>
    request('POST', 'auth/2fa/verify', { secret, backup_codes, code: totpOf(String(secret)) });

  it('is set up only with the password', async () => {
    await addPasskey(product, user);
    const missing = await setUp({});
    expect([missing.status, missing.body['detail']]).toEqual([400, 'Veuillez saisir votre mot de passe']);
    expect((await setUp({ password: 'faux' })).body['detail']).toBe('Mot de passe incorrect');
    const { body } = await setUp({ password: user.credentials.password });
    expect([body['backup_codes'], (await verify(body)).status]).toEqual([[], 200]);
  });

  it('is not the one that a session proposed before the passkey', async () => {
    const { body } = await setUp({});
    await addPasskey(product, user);
    expect((await verify(body)).status).toBe(400);
    expect(await status()).toMatchObject({ has_totp: false, passkey_count: 1 });
  });

  it('is not set up by a session whose 2FA an administrator resets meanwhile', async () => {
    await addPasskey(product, user);
    const { body } = await setUp({ password: user.credentials.password });
    await query('begin');
    await query('select from auth.users where id = $1 for update', user.id);
    const late = verify(body);
    await until(async () => (await waitingFor(product.database)) > 0);
    await query('delete from auth.sessions where user_id = $1', user.id);
    await query('commit');
    expect((await late).status).toBe(401);
    const { rows } = await query('select totp_secret from auth.users where id = $1', user.id);
    expect(rows).toEqual([{ totp_secret: null }]);
  });

  it('is proposed no longer after a reset', async () => {
    await addPasskey(product, user);
    await setUp({ password: user.credentials.password });
    await request('DELETE', `admin/users/${user.id}/2fa`, undefined, root);
    const { rows } = await product.database.query('select from auth.two_factor_enrolments where user_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a passkey of a former address', () => {
  const move = (host: string) =>
    product.database.query('update auth.passkeys set rp_id = $2 where user_id = $1', [user.id, host]);

  it('is listed with its host, and neither offered nor counted', async () => {
    await addPasskey(product, user);
    await move('ancien.example');
    expect(await list()).toMatchObject({ items: [{ former_host: 'ancien.example' }], total: 1 });
    expect(await status()).toMatchObject({ enabled: true, passkey_count: 0 });
    const { body } = await request('POST', 'auth/login', user.credentials, '');
    expect(body).toEqual({
      requires_2fa: true,
      accepts_totp: false,
      message: 'Saisissez un code de récupération.',
    });
    expect(await passkeyOptions(product, user)).toMatchObject({ excludeCredentials: [] });
  });

  it('does not hold the 2FA on when the last one that works is deleted', async () => {
    await addPasskey(product, user);
    await move('ancien.example');
    const { id } = await addPasskey(product, user);
    const { password } = user.credentials;
    expect((await request('DELETE', `passkeys/${id}`, { password })).status).toBe(204);
    expect([await status(), await list()]).toMatchObject([{ enabled: false, backup_codes_count: 0 }, { total: 0 }]);
  });
});

describe('a service of the release before', () => {
  it('deletes the passkeys where it turns the 2FA off', async () => {
    await addPasskey(product, user);
    await product.database.query('update auth.users set two_factor_at = null where id = $1', [user.id]);
    expect(await list()).toMatchObject({ total: 0 });
  });
});
