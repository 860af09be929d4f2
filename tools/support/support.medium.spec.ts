import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canary, containsSecret } from '@vigie/testing/canaries';
import { addServer } from '@vigie/testing/hosts';
import { freePort } from '@vigie/testing/ports';
import { admin, TestProduct } from '@vigie/testing/product';
import { runTool } from '@vigie/testing/tools';
import { until } from '@vigie/testing/until';
import { lockHome } from '../start/home';

const apps = ['gateway', 'auth-svc', 'sites-svc'] as const;
const [email, name, key, token] = [`${canary('adresse')}@exemple.fr`, canary('nom'), canary('clef'), canary('jeton')];
/** Short single words, which match no pattern: only the row or file that holds them reveals that they are private. */
const [host, password, table] = ['hangar', 'zq7', 'compta_du_voisin'];

let home: string;
let product: TestProduct;
let port: number;
let unlockHome: () => void;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vigie-support-'));
  port = await freePort();
  product = await TestProduct.start(['auth-svc', 'sites-svc', 'ssh-agent']);
  await product.add('gateway', { VIGIE_METRICS_PORT: `${port}` });
  unlockHome = lockHome(home, product.gateways[0] ?? '');
});
afterAll(async () => {
  unlockHome?.();
  await product?.stop();
  rmSync(home, { recursive: true });
});

const support = (env: Record<string, string>, ...args: string[]) =>
  runTool('support', args, { VIGIE_HOME: home, ...env });

/** Writes the logs of the processes, and log lines with private values. */
function writeLogs(): void {
  mkdirSync(join(home, 'logs'), { recursive: true });
  for (const app of apps) writeFileSync(join(home, 'logs', `${app}.log`), product.processesOf(app)[0]?.output ?? '');
  const line = {
    level: 50,
    app: 'auth-svc',
    msg: 'a mail was refused',
    to: email,
    err: { type: 'Error', message: `550 ${email}` },
  };
  const refusedLine = { level: 40, app: 'sites-svc', msg: `no way to ${host}: refused ${password}` };
  writeFileSync(
    join(home, 'logs/mails.log'),
    `${JSON.stringify(line)}\n{"half":"${key}\n${JSON.stringify(refusedLine)}\n`,
  );
  mkdirSync(join(home, 'keys'));
  writeFileSync(join(home, 'keys/auth-svc.json'), JSON.stringify({ database_password: password }));
  const postgresLines = [
    `ERROR:  no user "${name}" of 192.0.2.77`,
    `DETAIL:  Key (email)=(${email}) exists.`,
    `\tvalues ('${key}')`,
  ];
  writeFileSync(join(home, 'logs/postgresql.log'), `${postgresLines.join('\n')}\n`);
}

it('gathers the state of Vigie, without private values', async () => {
  const session = await product.login();
  await product.request('POST', '/api/auth/login', { body: { email, password: key } });
  await addServer(product, session, { name, host: `${name}.exemple.fr`, auth: { password: key } });
  await addServer(product, session, { name: 'Le hangar', host });
  await product.database.query(
    `create schema ${table} create table ${table} (id int) create table migrations (id int)`,
  );
  const { rows } = await product.database.query<{ id: string }>('select id from sites.servers where host <> $1', [
    host,
  ]);
  // No agent takes the jobs from now on.
  await product.processesOf('ssh-agent')[0]?.kill();
  await product.request('POST', `/api/servers/${rows[0]?.id}/test`, {
    token: session,
    headers: { prefer: 'respond-async' },
  });
  await until(() => product.processesOf('gateway')[0]?.output.includes('/api/servers/:id/test') ?? false);
  writeLogs();
  const file = join(home, 'paquet.tar.gz');
  const database = new URL(product.database.url);
  const env = {
    DATABASE_URL: database.href,
    VIGIE_METRICS_PORT: `${port}`,
    VIGIE_ADMIN_EMAIL: email,
    VIGIE_SMTP_URL: `smtp://u:${key}@h`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${token}`,
  };
  const { code, printed } = await support(env, file);
  expect([code, printed]).toEqual([0, expect.stringContaining(file)]);

  const read = (path: string) =>
    spawnSync('tar', ['-xzOf', file, '--wildcards', `*/${path}`], { encoding: 'utf8' }).stdout;
  expect(JSON.parse(read('versions.json'))).toMatchObject({ node: process.version, runs: true });
  expect(JSON.parse(read('health.json'))).toMatchObject({
    status: 503,
    body: { services: { 'auth-svc': true, 'dns-svc': false } },
  });
  expect(JSON.parse(read('ledger.json'))).toMatchObject({
    jobs: [{ kind: 'servers.test', state: 'queued', n: 1 }],
    sweeps: [{ kind: 'server-health', targets: 2 }],
    fleet: [{ servers: 2, users: 1 }],
    schemas: {
      auth: { audit_pending: expect.any(Array) },
      sites: { migrations: expect.arrayContaining([{ name: 'FollowJobs1795600000000' }]) },
    },
  });
  expect(JSON.parse(read('settings.json'))).toMatchObject({ VIGIE_SMTP_URL: 'set', DATABASE_URL: 'set' });
  expect(read('metrics/gateway.prom')).toContain('vigie_http_request_seconds_count');
  expect(read('metrics/sites-svc.prom')).toMatch(/^could not be read/);
  expect(read('logs/gateway.log')).toContain('"route":"/api/servers/:id/test"');
  expect(read('logs/mails.log')).toContain('no way to <known>: refused <known>');
  expect(read('logs/mails.log')).toContain('550 <known>');

  const content = spawnSync('tar', ['-xzOf', file], { encoding: 'utf8' }).stdout;
  for (const secret of [
    email,
    name,
    key,
    token,
    session,
    database.password,
    admin.email,
    admin.password,
    host,
    password,
    table,
    '192.0.2.77',
    '127.0.0.1',
  ]) {
    expect([secret, containsSecret(content, secret)]).toEqual([secret, false]);
  }
});

it('accepts the logs of containers, and redacts the content of their keys', async () => {
  const [from, keys, file] = ['recueil', 'clefs', 'conteneurs.tar.gz'].map((path) => join(home, path)) as [
    string,
    string,
    string,
  ];
  for (const folder of [from, keys]) mkdirSync(folder);
  writeFileSync(join(keys, 'gateway.json'), JSON.stringify({ database_password: 'zz9' }));
  writeFileSync(join(from, 'gateway.log'), `${JSON.stringify({ level: 40, app: 'gateway', msg: 'refused zz9' })}\n`);
  writeFileSync(join(from, 'gateway.prom'), 'vigie_leases_held 1\n');
  const services = { 'auth-svc': true, 'sites-svc': true, 'ssh-agent': true, 'dns-svc': false };
  writeFileSync(join(from, 'health.json'), JSON.stringify({ ready: false, services, by: key }));
  const env = { VIGIE_HOME: join(home, 'autre'), DATABASE_URL: product.database.url };
  expect(await support(env, file, '--from', from, '--keys', keys)).toMatchObject({ code: 0 });
  const content = spawnSync('tar', ['-xzOf', file], { encoding: 'utf8' }).stdout;
  expect(content).toContain('refused <known>');
  expect(content).toContain('vigie_leases_held 1');
  expect(content).toMatch(/"dns-svc": false/);
  expect([containsSecret(content, 'zz9'), containsSecret(content, key), content.includes('"runs"')]).toEqual([
    false,
    false,
    false,
  ]);
});

it('says what is missing when nothing runs, and overwrites nothing', async () => {
  const file = join(home, 'vide.tar.gz');
  const empty = join(home, 'autre');
  expect(await support({ VIGIE_HOME: empty }, file)).toMatchObject({ code: 0 });
  expect(existsSync(empty)).toBe(false);
  const content = spawnSync('tar', ['-xzOf', file], { encoding: 'utf8' }).stdout;
  expect(content).toContain('nothing runs in this state folder');
  expect(content).toContain('could not be read: La base de Vigie ne tourne pas');
  expect(await support({ VIGIE_HOME: empty }, file)).toMatchObject({
    code: 1,
    printed: expect.stringContaining('n’a pas pu être écrit'),
  });
  expect(await support({}, '--tout')).toMatchObject({ code: 1, printed: expect.stringContaining('npm run support') });
});
