import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '@vigie/contracts/contract';
import { processes } from '@vigie/service-kit/keys';
import { dumpTables } from '@vigie/testing/dump';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { openZone } from '@vigie/testing/dns';
import { addServer } from '@vigie/testing/hosts';
import { addUser, enrol, type Person, totpOf } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { runTool } from '@vigie/testing/tools';
import { until } from '@vigie/testing/until';
import { kidOf, Sealed } from '@vigie/vault/seal';
import { Client } from 'pg';
import { keyFile, writeKeys } from '../start/keys';
import { kidsOf, readKeyFiles } from './rings';
import { type Rotation, rotate } from './rotate';
import { waitUntilResealed } from './sealed-values';

const sendgridKey = 'SG.rotation';
let sendgrid: FakeSendgrid;
let cloudflare: FakeCloudflare;
let product: TestProduct;
let admin: string;
beforeAll(async () => {
  sendgrid = await FakeSendgrid.start(sendgridKey);
  cloudflare = await FakeCloudflare.start();
  const env = { VIGIE_SENDGRID_URL: sendgrid.url, VIGIE_CLOUDFLARE_URL: cloudflare.url, VIGIE_TRUSTED_HOPS: '1' };
  product = await TestProduct.start(['gateway', 'auth-svc', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'], env);
  admin = await product.login();
});
afterAll(async () => {
  await product?.stop();
  await sendgrid?.close();
  await cloudflare?.close();
});

const post = (path: string, body: unknown, token = admin) => product.request('POST', path, { body, token });

/** From an address of its own: attempts are counted. */
let addresses = 0;
function login(who: Person, more: object = {}) {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.51.100.${addresses % 250}` };
  return product.request('POST', '/api/auth/login', { body: { ...who, ...more }, headers });
}

/** Every kind of sealed value that is kept: two keys, two secrets, mails that cannot leave yet, what opens a server. */
async function keepSecrets() {
  await post('/api/settings/notifications', { sendgrid_api_key: sendgridKey });
  const enrolled = await addUser(product, admin);
  const { secret } = await enrol(product, enrolled.token);
  const enrolling = await addUser(product, admin);
  const proposed = (await post('/api/auth/2fa/setup', {}, enrolling.token)).body;
  sendgrid.failures.push(...Array<number>(20).fill(503));
  await product.request('POST', '/api/auth/forgot', { body: { email: enrolled.who.email } });
  const isTried = async () =>
    (await product.database.query('select 1 from auth.mails where error is not null')).rowCount === 1;
  await until(isTried);
  sendgrid.failures.length = 0;
  // It would be tried again in ten seconds, in the middle of what is looked at here.
  await product.database.query("update auth.mails set next_at = now() + interval '1 hour'");
  const server = await addServer(product, admin, { name: 'web', host: '10.0.0.9' });
  const zone = await openZone({ product, cloudflare, token: admin });
  // Who logs in again and again keeps the newest sessions only.
  const visitor = await addUser(product, admin);
  return { enrolled: enrolled.who, secret, enrolling, proposed, visitor: visitor.who, server, zone };
}

async function kept(): Promise<Sealed[]> {
  const { rows } = await product.database.query<{ sealed: unknown }>(
    `select sendgrid_key as sealed from auth.settings union all select totp_secret from auth.users
     union all select secret from auth.two_factor_enrolments union all select body from auth.mails
     union all select credential from sites.servers union all select api_key from dns.configs`,
  );
  return rows.filter(({ sealed }) => sealed !== null).map(({ sealed }) => Sealed.parse(sealed));
}

const files = () => readKeyFiles(product.home);
const rotateHere = (isResealed: Rotation['isResealed']) =>
  rotate({ folder: product.home, isCarried: false, isResealed, log: silent });
const silent = () => undefined;
const watch =
  (url: string, quietMs: number, log: Rotation['log'] = silent): Rotation['isResealed'] =>
  async (retired, given) => {
    await waitUntilResealed(url, given, { retired, log, quietMs });
    return true;
  };

const keys = (env: Record<string, string>, ...args: string[]) => runTool('keys', args, env);

describe('a rotation under a running product', () => {
  it('seals all anew, and nobody notices', async () => {
    const { enrolled, secret, enrolling, proposed, visitor, server, zone } = await keepSecrets();
    const old = kidsOf(files());
    const before = await kept();
    const newest = (...names: Caller[]) => names.map((name) => files()[name].opens[0]?.kid);
    const readers = [...Array<Caller>(4).fill('auth-svc'), 'ssh-agent', 'dns-svc'] as const;
    expect(before.map(kidOf)).toEqual(newest(...readers));
    const countThere = async () => {
      const tables = [...(await dumpTables(product.database)).values()].join('\n');
      return before.filter(({ ciphertext }) => tables.includes(ciphertext)).length;
    };
    expect(await countThere()).toBe(6);

    let isRotating = true;
    const answers: number[] = [];
    const useIt = async () => {
      while (isRotating) answers.push((await login(visitor)).status);
    };
    const [ended] = await Promise.all([
      rotateHere(watch(product.database.url, 2_000)).finally(() => {
        isRotating = false;
      }),
      useIt(),
    ]);
    expect([ended, new Set(answers)]).toEqual([true, new Set([200])]);

    expect(new Set((await kept()).map(kidOf))).toEqual(new Set(newest('auth-svc', 'ssh-agent', 'dns-svc')));
    expect(await countThere()).toBe(0);
    expect(kidsOf(files()).filter((kid) => old.includes(kid))).toEqual([]);

    expect((await product.request('GET', `${zone.at}/dns`, { token: admin })).status).toBe(200);
    // It goes along to another address only where it opens.
    const moved = { token: admin, body: { host: '10.0.0.8' } };
    expect((await product.request('PUT', `/api/servers/${server.id}`, moved)).status).toBe(200);

    expect((await login(enrolled, { totp_code: totpOf(secret, 1) })).body['access_token']).toEqual(expect.any(String));
    const { secret: own, backup_codes } = proposed;
    const verified = await post(
      '/api/auth/2fa/verify',
      { secret: own, code: totpOf(String(own)), backup_codes },
      enrolling.token,
    );
    expect(verified.status).toBe(200);
    await product.database.query('update auth.mails set next_at = now()');
    await until(() => sendgrid.mails.length === 1);
  });

  it('leaves files that all processes start again with', async () => {
    for (const app of ['auth-svc', 'gateway'] as const) {
      for (const process of product.of(app)) await process.kill('SIGTERM');
      product.processes.splice(0, product.processes.length, ...product.processes.filter((entry) => entry.app !== app));
      await product.add(app);
    }
    expect(await product.login()).toEqual(expect.any(String));
    expect((await post('/api/settings/notifications/test', {}, await product.login())).status).toBe(200);
  });
});

describe('the end of a rotation', () => {
  it('waits for a value that nobody seals anew, wherever it stands, and for what is not committed', async () => {
    const { query } = product.database;
    const kid = files()['auth-svc'].opens[0]?.kid ?? '';
    const header = Buffer.from(JSON.stringify({ kid })).toString('base64url');
    const nested = JSON.stringify({ facts: [{ key: { protected: header, iv: 'a', ciphertext: 'b', tag: 'c' } }] });
    await query('create table auth.forgotten (kept jsonb)');
    await query(`grant select on auth.forgotten to ${new URL(product.database.url).pathname.slice(1)}_auth`);
    await query('insert into auth.forgotten values ($1)', [nested]);
    const said: string[] = [];
    const ended = rotateHere(watch(product.database.url, 1_000, (line) => void said.push(line)));
    const saidForgotten = () => said.filter((line) => line.includes('auth.forgotten.kept (1)')).length;
    await until(() => saidForgotten() === 1);

    const late = new Client({ connectionString: product.database.url });
    await late.connect();
    await late.query('begin');
    await late.query('insert into auth.forgotten values ($1)', [nested]);
    await query('delete from auth.forgotten');
    // It found nothing for long enough, and now asks for the transactions of before.
    const asks = "select 1 from pg_stat_activity where query like '%xmax(pg_current%' and pid <> pg_backend_pid()";
    await until(async () => (await query(asks)).rowCount === 1);
    await late.query('commit');
    await late.end();
    await until(() => saidForgotten() === 2);
    expect(kidsOf(files())).toContain(kid);
    await query('delete from auth.forgotten');
    expect(await ended).toBe(true);
    expect(kidsOf(files())).not.toContain(kid);
  });

  it('is refused on the database of another installation, however clean it is', async () => {
    const strangers = await TestProduct.start([]);
    try {
      for (const app of ['auth-svc', 'sites-svc', 'dns-svc'] as const) await strangers.migrate(app);
      const before = kidsOf(files());
      await expect(rotateHere(watch(strangers.database.url, 0))).rejects.toThrow('ne se laisse pas ouvrir');
      expect(kidsOf(files())).toEqual(expect.arrayContaining(before));
    } finally {
      await strangers.stop();
    }
    expect(await rotateHere(watch(product.database.url, 1_000))).toBe(true);
  });
});

describe('the command', () => {
  it('does one step a run for files that are carried, and wants the database for the last', async () => {
    const carried = join(product.home, 'carried');
    mkdirSync(carried);
    for (const name of processes) {
      writeFileSync(keyFile(carried, name), JSON.stringify(files()[name]));
    }
    const run = () => keys({ VIGIE_HOME: join(product.home, 'nobody') }, 'rotate', '--in', carried);
    expect(await run()).toEqual({
      code: 3,
      printed: expect.stringContaining('Étape 1 sur 3 : portez à chaque processus'),
    });
    expect(await run()).toEqual({ code: 3, printed: expect.stringContaining('Étape 2 sur 3 : portez de nouveau') });
    expect(await run()).toEqual({ code: 1, printed: expect.stringContaining('Donnez par DATABASE_URL') });
  });

  it('prepares the files of npm start while nothing runs, and says how it goes on', async () => {
    const home = join(product.home, 'home');
    writeKeys(join(home, 'keys'));
    const { code, printed } = await keys({ VIGIE_HOME: home }, 'rotate');
    expect([code, printed]).toEqual([3, expect.stringContaining('Vigie ne tourne pas : lancez npm start')]);
    expect(readKeyFiles(join(home, 'keys')).gateway.readers['auth-svc']).toHaveLength(2);
  });

  it('explains itself, and takes no option that it does not know', async () => {
    expect(await keys({}, '--help')).toEqual({ code: 0, printed: expect.stringContaining('keys -- rotate') });
    const unknown = [['rotate', '--everything'], ['rotate', '--in'], ['--out'], ['turn']];
    const refused = { code: 1, printed: expect.stringContaining('keys -- rotate') };
    expect(await Promise.all(unknown.map((args) => keys({}, ...args)))).toEqual(unknown.map(() => refused));
    const nowhere = await keys({ VIGIE_HOME: join(product.home, 'nobody') }, 'rotate');
    expect(nowhere).toEqual({ code: 1, printed: expect.stringContaining('Il n’y a pas de clés dans') });
  });
});
