import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestProduct } from '@vigie/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
});
afterAll(() => product?.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

it('serves the recorded document to a session and to any token, and to nobody else', async () => {
  const recorded: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const session = await product.login();
  const created = await product.request('POST', '/api/tokens', {
    token: session,
    body: { name: 'Noms de domaine', scopes: ['dns'], expires_at: inAnHour() },
  });
  const token = String(created.body['token']);
  for (const path of ['/api/openapi.json', '/api/docs']) {
    for (const bearer of [session, token]) {
      const { status, body } = await product.request('GET', path, { token: bearer });
      expect(status).toBe(200);
      expect(body).toEqual(recorded);
    }
    expect((await product.request('GET', path)).status).toBe(401);
  }
  // Its scopes bind the token everywhere else.
  expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(403);
});

it('sends the text only once to a program that keeps it', async () => {
  const token = await product.login();
  const { headers } = await product.request('GET', '/api/openapi.json', { token });
  const again = await product.request('GET', '/api/openapi.json', {
    token,
    headers: { 'if-none-match': String(headers.get('etag')) },
  });
  expect(again).toMatchObject({ status: 304, text: '' });
});
