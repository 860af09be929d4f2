import { describe, expect, it } from 'vitest';
import { addUser } from '@vigie/testing/people';
import { useSiteRows } from '@vigie/testing/site-rows';

const { product, root, query, ask } = useSiteRows();

async function tokenOf(): Promise<string> {
  const expires = new Date(Date.now() + 60 * 60_000).toISOString();
  const { body, text } = await ask('POST', '/tokens', { name: 'assistant', scopes: ['read'], expires_at: expires });
  if (typeof body['token'] !== 'string') throw new Error(text);
  return body['token'];
}

const post = (body: unknown, headers: Record<string, string> = {}, path = '/api/mcp') =>
  fetch(`${product().gateways[0]}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('the address', () => {
  it('takes a bearer from the header only, and no page of another site', async () => {
    const token = await tokenOf();
    const bearer = { authorization: `Bearer ${token}` };
    expect((await post(listing)).status).toBe(401);
    expect((await post(listing, {}, `/api/mcp?token=${token}&access_token=${token}`)).status).toBe(401);
    expect((await post(listing, { cookie: `token=${token}` })).status).toBe(401);
    expect((await post(listing, { ...bearer, origin: 'https://ailleurs.exemple.fr' })).status).toBe(403);
    expect((await post(listing, { ...bearer, origin: 'null' })).status).toBe(403);
    expect((await post(listing, bearer)).status).toBe(200);
    expect((await post(listing, { authorization: `Bearer ${root.token}` })).status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${product().gateways[0]}/api/mcp`, { method, headers: bearer });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('is closed to a session that may only set up its second factor', async () => {
    const { id, token, credentials } = await addUser(product(), root.token);
    expect((await post(listing, { authorization: `Bearer ${token}` })).status).toBe(200);
    const require2fa = (rule: string) => ask('POST', '/settings/app', { require_2fa: rule });
    await require2fa('all');
    try {
      await query('update auth.users set grace_used = 5 where id = $1', id);
      const login = await product().request('POST', '/api/auth/login', { body: credentials });
      expect(login.body).toMatchObject({ requires_2fa_setup: true, access_token: expect.any(String) });
      const answer = await post(listing, { authorization: `Bearer ${String(login.body['access_token'])}` });
      expect([answer.status, await answer.json()]).toMatchObject([403, { detail: { code: 'requires_2fa_setup' } }]);
    } finally {
      await require2fa('off');
    }
  });

  it('refuses what is no single message', async () => {
    const bearer = { authorization: `Bearer ${await tokenOf()}` };
    expect((await post([listing, listing], bearer)).status).toBe(422);
    expect((await post('{', bearer)).status).toBe(400);
    expect((await post({ ...listing, method: 'subscriptions/listen' }, bearer)).status).toBe(400);
    expect((await post({ hello: 1 }, bearer)).status).toBe(400);
    expect((await post({ ...listing, method: 'resources/list' }, bearer)).status).toBeLessThan(500);
    expect((await post({ ...listing, params: { x: 'x'.repeat(300_000) } }, bearer)).status).toBe(413);
    expect((await post(listing, { ...bearer, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });
});
