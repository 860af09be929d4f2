import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { login as logIn } from '@vigie/contracts/sessions';
import { readTwoFactor, setUpTwoFactor } from '@vigie/contracts/two-factor';
import { readMe } from '@vigie/contracts/users';
import { subjectOf } from '@vigie/service-kit/bus';
import { Envelopes } from '@vigie/service-kit/envelope';
import { generateKeys } from '@vigie/service-kit/keys';
import { connectBus, connectWithoutKeys, textOf } from '@vigie/testing/bus';
import { canary, containsSecret } from '@vigie/testing/canaries';
import { dumpRedis, dumpTables } from '@vigie/testing/dump';
import { totpOf } from '@vigie/testing/people';
import { admin, type Answer, TestProduct } from '@vigie/testing/product';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { testServers } from '@vigie/testing/servers';
import { until } from '@vigie/testing/until';

/** Secrets that people type. */
const inputs = {
  created: canary('creation'),
  wrong: canary('faux'),
  wrongCurrent: canary('faux-actuel'),
  changed: canary('change'),
  reset: canary('reinitialise'),
  edited: canary('edite'),
  signedUp: canary('inscrit'),
  sendgridKey: `SG.${canary('cle')}`,
  forgedLink: randomBytes(32).toString('base64url'),
  wrongCode: 'ZZZ9ZZ',
};
const email = 'canari@vigie.example';

/** Each secret by name. `shownBy` is the label of the only answer that may contain it. */
const secrets: { name: string; value: string; shownBy?: string }[] = [
  ...Object.entries(inputs).map(([name, value]) => ({ name, value })),
  { name: 'the first administrator’s password', value: admin.password },
];
const answers: { label: string; answer: Answer }[] = [];

let product: TestProduct;
let sendgrid: FakeSendgrid;
let intruder: Awaited<ReturnType<typeof connectWithoutKeys>>;
let bus: string;
/** Dumps taken while a second factor is set up and while a mail waits. */
const tablesMeanwhile: string[] = [];

beforeAll(async () => {
  sendgrid = await FakeSendgrid.start(inputs.sendgridKey);
  // The trace level logs the most: what it does not log, no level logs.
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'], {
    VIGIE_SENDGRID_URL: sendgrid.url,
    VIGIE_PUBLIC_URL: 'https://vigie.example',
    VIGIE_LOG_LEVEL: 'trace',
  });
  intruder = await connectWithoutKeys();
  const messages = await intruder.listen();
  await liveThroughEverything();
  bus = (await messages()).map(withoutDueToken).join('\n');
});
afterAll(async () => {
  await intruder?.close();
  await product?.stop();
  await sendgrid?.close();
});

/** A token crosses the bus once by design, in the answer of the login that created it. */
const withoutDueToken = (message: Parameters<typeof textOf>[0]): string =>
  message.subject.startsWith('_INBOX.')
    ? textOf(message).replace(/"access_token":"[\w-]{43}"/, '"access_token":""')
    : textOf(message);

async function liveThroughEverything(): Promise<void> {
  const root = await login('login of the administrator', admin);
  await ask('saved key', 'POST', '/api/settings/notifications', root, { sendgrid_api_key: inputs.sendgridKey });
  const id = await signIn(root);
  await proveTwice();
  await resetByMail(root);
  await ask('edited user', 'PUT', `/api/admin/users/${id}`, root, { password: inputs.edited });
  await failInside(root);
  for (const path of ['auth/sessions', 'admin/users', 'settings/notifications/mails', 'dashboard/activity?limit=50']) {
    await ask(`read ${path}`, 'GET', `/api/${path}`, root, undefined, { 'x-admin-mode': '1' });
  }
  await ask('logout', 'POST', '/api/auth/logout', root);
}

async function signIn(root: string): Promise<string> {
  const person = { email, password: inputs.created, first_name: 'Anne', last_name: 'Le Goff' };
  const key = { 'idempotency-key': 'une-fois' };
  const { body } = await ask('created user', 'POST', '/api/admin/users', root, person, key);
  await ask('created again', 'POST', '/api/admin/users', root, { ...person, password: inputs.wrong }, key);
  await ask('sign-up', 'POST', '/api/auth/signup', undefined, { email: 'neuf@localhost', password: inputs.signedUp });
  await ask('refused login', 'POST', '/api/auth/login', undefined, { email, password: inputs.wrong });
  return String(body['id']);
}

/** Changes a password, then sets up a second factor and uses its codes. */
async function proveTwice(): Promise<void> {
  const token = await login('first login', { email, password: inputs.created });
  const change = (current: string) =>
    ask('changed password', 'POST', '/api/auth/change_password', token, {
      current_password: current,
      new_password: inputs.changed,
      confirm_password: inputs.changed,
    });
  await change(inputs.wrongCurrent);
  await change(inputs.created);
  const { secret, backup_codes: codes } = await enrol(token);
  tablesMeanwhile.push(await readTables());
  await login('login with a code', {
    email,
    password: inputs.changed,
    totp_code: plant('later code', totpOf(secret, 1)),
  });
  await login('login with a recovery code', { email, password: inputs.changed, backup_code: codes[0] });
  const wrong = { email, password: inputs.changed, backup_code: inputs.wrongCode };
  await ask('refused code', 'POST', '/api/auth/login', undefined, wrong);
  const renewed = await ask('renewed codes', 'POST', '/api/auth/2fa/backup_codes', token, { password: inputs.changed });
  for (const code of renewed.body['backup_codes'] as string[]) plant('renewed recovery code', code, 'renewed codes');
  await ask('refused disabling', 'POST', '/api/auth/2fa/disable', token, { password: inputs.wrong });
  await ask('disabling', 'POST', '/api/auth/2fa/disable', token, { password: inputs.changed });
}

async function enrol(token: string) {
  const { body } = await ask('set-up', 'POST', '/api/auth/2fa/setup', token, {});
  const { secret, backup_codes } = body as { secret: string; backup_codes: string[] };
  plant('TOTP secret', secret, 'set-up');
  for (const code of backup_codes) plant('recovery code', code, 'set-up');
  const code = plant('TOTP code', totpOf(secret));
  await ask('verified', 'POST', '/api/auth/2fa/verify', token, { secret, code, backup_codes });
  return { secret, backup_codes };
}

const readTables = async () => [...(await dumpTables(product.database)).values()].join('\n');

/** Resets a forgotten password by a mail whose first delivery fails. */
async function resetByMail(root: string): Promise<void> {
  // Those that told of the new recovery codes and of the removed app come first.
  await until(() => sendgrid.mails.length === 2);
  sendgrid.failures.push(503);
  await ask('forgot', 'POST', '/api/auth/forgot', undefined, { email });
  const { database } = product;
  await until(async () => (await database.query('select 1 from auth.mails where error is not null')).rowCount === 1);
  tablesMeanwhile.push(await readTables());
  await database.query('update auth.mails set next_at = now()');
  await until(() => sendgrid.mails.length === 3);
  const token = plant('reset token', /token=([\w-]{43})/.exec(sendgrid.mails.at(-1)?.text ?? '')?.[1] ?? '');
  await ask('dead link', 'POST', '/api/auth/reset', undefined, { token: inputs.forgedLink, password: inputs.reset });
  const resetAnswer = await ask('reset', 'POST', '/api/auth/reset', undefined, { token, password: inputs.reset });
  expect(resetAnswer.status).toBe(200);
  sendgrid.failures.push(401, 400);
  for (const label of ['test mail', 'second test mail'])
    await ask(label, 'POST', '/api/settings/notifications/test', root, {});
}

/** Makes requests fail half-way, because their errors are logged. */
async function failInside(root: string): Promise<void> {
  const failures = [];
  await product.database.query('alter table auth.audit_lines rename to hidden');
  const who = { email, password: inputs.edited };
  failures.push(await ask('broken login', 'POST', '/api/auth/login', undefined, who));
  failures.push(
    await ask('broken creation', 'POST', '/api/admin/users', root, {
      ...who,
      email: 'b@c',
      first_name: 'B',
      last_name: 'C',
    }),
  );
  failures.push(
    await ask('broken key', 'POST', '/api/settings/notifications', root, { sendgrid_api_key: inputs.sendgridKey }),
  );
  await product.database.query('alter table auth.hidden rename to audit_lines');
  expect(failures.map(({ status }) => status)).toEqual([500, 500, 500]);
}

function plant(name: string, value: string, shownBy?: string): string {
  if (value === '') throw new Error(`no ${name}`);
  secrets.push({ name, value, ...(shownBy !== undefined && { shownBy }) });
  return value;
}

async function login(label: string, body: object): Promise<string> {
  const answer = await ask(label, 'POST', '/api/auth/login', undefined, body);
  return plant(`token of the ${label}`, /"access_token":"([\w-]{43})"/.exec(answer.text)?.[1] ?? '', label);
}

async function ask(label: string, method: string, path: string, token?: string, body?: unknown, headers = {}) {
  const answer = await product.request(method, path, { ...(token && { token }), body, headers });
  answers.push({ label, answer });
  return answer;
}

const secretsIn = (text: string, candidates = secrets) =>
  candidates.filter(({ value }) => containsSecret(text, value)).map(({ name }) => name);

describe('no secret', () => {
  it('is missing from this test: every kind was planted, and every flow succeeded', () => {
    expect(secrets.length).toBeGreaterThan(30);
    const broken = answers.filter(({ label, answer }) => answer.status >= 500 && !/broken|test mail/.test(label));
    expect(broken.map(({ label, answer }) => `${label}: ${answer.text}`)).toEqual([]);
  });

  it('is in the output of a process', () => {
    const output = product.processes.map(({ process }) => process.output).join('\n');
    expect(output).toContain('"level":20');
    expect(secretsIn(output)).toEqual([]);
  });

  it('is in Redis, nor the email of a login attempt', async () => {
    const redisDump = await dumpRedis(testServers().redisUrl, 'vigie:');
    expect(redisDump).toContain(`vigie:${product.keys.gateway.instance}:count:login:`);
    expect(secretsIn(redisDump)).toEqual([]);
    expect(redisDump).not.toContain(email);
  });

  it('is in a message on the bus, except a new token in its answer', () => {
    expect(bus).toContain(email);
    expect(secretsIn(bus)).toEqual([]);
  });

  it('is in a table, while a second factor is set up, while a mail waits, or after', async () => {
    expect(tablesMeanwhile.map((text) => text.includes('"ciphertext"'))).toEqual([true, true]);
    for (const text of [...tablesMeanwhile, await readTables()]) expect(secretsIn(text)).toEqual([]);
    expect((await dumpTables(product.database)).get('auth.mails')).toMatch(/,,t,sent,2,,/);
  });

  it('is in an answer, except the one that must show it', () => {
    const leaks = answers.flatMap(({ label, answer }) => {
      const text = `${JSON.stringify([...answer.headers])}\n${answer.text}`;
      const hidden = secrets.filter(({ shownBy }) => shownBy !== label);
      return secretsIn(text, hidden).map((name) => `${name} in ${label}`);
    });
    expect(leaks).toEqual([]);
  });
});

describe('a call about a login or a second factor', () => {
  const calls = allContracts.filter(({ name }) => name.startsWith('auth.two-factor.') || name === logIn.name);
  const body = Buffer.from('{}');
  const somebody = { sub: randomUUID(), sid: randomUUID(), role: 'admin', adminMode: true } as const;
  const context = { requestId: 'r', user: somebody };

  it.each(calls)('$name is refused under a forged envelope', async (call) => {
    const { gateway, 'ssh-agent': agent } = product.keys;
    const forged = {
      none: '',
      'of another process': new Envelopes(agent).sign('auth-svc', call.name, body, context),
      'of another process, as the gateway': new Envelopes({ ...agent, process: 'gateway' }).sign(
        'auth-svc',
        call.name,
        body,
        context,
      ),
      'of another installation': new Envelopes(generateKeys().gateway).sign('auth-svc', call.name, body, context),
      'for another call': new Envelopes(gateway).sign('auth-svc', readMe.name, body, context),
      'for another body': new Envelopes(gateway).sign('auth-svc', call.name, Buffer.from('{ }'), context),
    };
    const subject = subjectOf(gateway, call);
    for (const [name, envelope] of Object.entries(forged)) {
      expect([name, await intruder.ask(subject, body, envelope)]).toEqual([name, 'forbidden']);
    }
  });

  it.each(calls.filter(({ sealed }) => sealed))('$name is refused with a secret in the clear', async (call) => {
    const secret = { password: 'x', secret: 'x', code: '123456', backup_codes: ['x'] };
    const open = Buffer.from(JSON.stringify({ email, ...secret }));
    const envelope = new Envelopes(product.keys.gateway).sign('auth-svc', call.name, open, context);
    expect(await intruder.ask(subjectOf(product.keys.gateway, call), open, envelope)).toBe('internal');
  });

  it('is refused without a user', async () => {
    const gateway = await connectBus(product.keys.gateway);
    await expect(gateway.call(readTwoFactor, {})).rejects.toMatchObject({ code: 'unauthorized' });
    await gateway.close();
  });

  it('is answered once, and refused when it is replayed', async () => {
    const token = await product.login();
    const messages = await intruder.listen();
    expect((await product.request('POST', '/api/auth/2fa/setup', { token, body: {} })).status).toBe(200);
    const subject = subjectOf(product.keys.gateway, setUpTwoFactor);
    const [call] = (await messages()).filter((message) => message.subject === subject);
    expect(await intruder.ask(subject, call?.body ?? body, call?.envelope)).toBe('forbidden');
  });
});
