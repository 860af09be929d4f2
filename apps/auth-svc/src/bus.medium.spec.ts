import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listGroups } from '@vigie/contracts/groups';
import { checkSession, sessionsRevoked } from '@vigie/contracts/session-checks';
import { readMe } from '@vigie/contracts/users';
import { subjectOf } from '@vigie/service-kit/bus';
import { connectBus, connectWithoutKeys } from '@vigie/testing/bus';
import { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let intruder: Awaited<ReturnType<typeof connectWithoutKeys>>;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  intruder = await connectWithoutKeys();
});
afterAll(async () => {
  await intruder?.close();
  await product?.stop();
});

describe('the bus alone gives no identity', () => {
  it('answers the gateway of this installation', async () => {
    const gateway = await connectBus(product.keys.gateway);
    expect(await gateway.call(checkSession, { token_hash: '0'.repeat(64) })).toEqual({ session: null });
    await gateway.close();
  });

  it('does not believe an answer that its owner did not sign', async () => {
    // Nobody else answers: this product has no sites-svc.
    await intruder.answer(subjectOf(product.keys.gateway, listGroups), []);
    const gateway = await connectBus(product.keys.gateway);
    await expect(gateway.call(listGroups, {})).rejects.toMatchObject({ code: 'unavailable' });
    await gateway.close();
  });

  it('does not sign the refusal of a call that was altered, which its caller could take for the answer', async () => {
    const token = await product.login();
    const messages = await intruder.listen();
    expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(200);
    const subject = subjectOf(product.keys.gateway, readMe);
    const [call] = (await messages()).filter((message) => message.subject === subject);
    expect(await intruder.askForSignature(subject, Buffer.from('{ }'), call?.envelope)).toBe('');
    expect(await intruder.ask(subject, Buffer.from('{ }'), call?.envelope)).toBe('forbidden');
  });

  it('does not believe a revocation that auth-svc did not sign', async () => {
    const token = await product.login();
    const { rows } = await product.database.query('select id from auth.sessions order by created_at desc limit 1');
    const agent = await connectBus(product.keys['ssh-agent']);
    agent.publish(sessionsRevoked, { sids: [rows[0].id] });
    await agent.close();
    await until(() => product.processesOf('gateway')[0]?.output.includes('an event was refused') ?? false);
    expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(200);
  });
});

describe('a process refuses to start', () => {
  const refusal = async (program: string, env: Record<string, string>) => {
    const refused = TestProcess.start(program, env, product.home);
    return [await refused.exit(), refused.output] as const;
  };

  it('without its variables, and names them all', async () => {
    const [code, output] = await refusal('gateway/main.js', { PORT: '99999' });
    expect(code).toBe(78);
    for (const name of ['VIGIE_KEYS_FILE', 'NATS_URL', 'REDIS_URL', 'PORT', 'VIGIE_WEB_ROOT'])
      expect(output).toContain(name);
  });

  it('with the keys of another process', async () => {
    const env = { ...product.envOf('auth-svc'), VIGIE_KEYS_FILE: `${product.home}/gateway.json` };
    const [code, output] = await refusal('auth-svc/main.js', env);
    expect([code, output]).toEqual([78, expect.stringContaining('holds the keys of gateway')]);
  });

  it('with a first administrator who could never log in', async () => {
    const env = { ...product.envOf('auth-svc'), VIGIE_ADMIN_EMAIL: 'admin', VIGIE_ADMIN_PASSWORD: ' '.repeat(9) };
    const [code, output] = await refusal('auth-svc/main.js', env);
    expect([code, output]).toEqual([78, expect.stringMatching(/VIGIE_ADMIN_EMAIL[^]*VIGIE_ADMIN_PASSWORD/)]);
  });

  it('on a port that is taken', async () => {
    const takenPort = new URL(product.gateways[0] ?? '').port;
    const [code, output] = await refusal('gateway/main.js', { ...product.envOf('gateway'), PORT: takenPort });
    expect([code, output]).toEqual([78, expect.stringContaining(`${takenPort} is taken`)]);
  });
});

it('serves with a role that can change its rows and nothing else', async () => {
  const role = `${new URL(product.database.url).pathname.slice(1)}_auth`;
  const hasPrivilege = (table: string, right: string) =>
    product.database.query('select has_table_privilege($1, $2, $3) as may', [role, table, right]);
  expect((await hasPrivilege('auth.users', 'update')).rows).toEqual([{ may: true }]);
  expect((await hasPrivilege('auth.users', 'truncate')).rows).toEqual([{ may: false }]);
  expect((await hasPrivilege('auth.migrations', 'insert')).rows).toEqual([{ may: false }]);
  const create = "select has_schema_privilege($1, 'auth', 'create') as may";
  expect((await product.database.query(create, [role])).rows).toEqual([{ may: false }]);
});
