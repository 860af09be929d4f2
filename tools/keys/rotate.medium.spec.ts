import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '@vigie/contracts/contract';
import { processes } from '@vigie/service-kit/keys';
import { dumpTables } from '@vigie/testing/dump';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { openZone } from '@vigie/testing/dns';
import { addServer } from '@vigie/testing/hosts';
import { addUser, enableTwoFactor, type Person, totpOf } from '@vigie/testing/people';
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

/** Each login uses a new address, because attempts are counted per address. */
let addresses = 0;
function login(credentials: Person, fields: object = {}) {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.51.100.${addresses % 250}` };
  return product.request('POST', '/api/auth/login', { body: { ...credentials, ...fields }, headers });
}

/** Creates every kind of sealed value: two API keys, two TOTP secrets, unsent mails, and a server's credential. */
async function createSealedValues() {
  await post('/api/settings/notifications', { sendgrid_api_key: sendgridKey });
  const enrolled = await addUser(product, admin);
  const { secret } = await enableTwoFactor(product, enrolled.token);
  const enrolling = await addUser(product, admin);
  const proposed = (await post('/api/auth/2fa/setup', {}, enrolling.token)).body;
  sendgrid.failures.push(...Array<number>(20).fill(503));
  await product.request('POST', '/api/auth/forgot', { body: { email: enrolled.credentials.email } });
  const wasTried = async () =>
    (await product.database.query('select 1 from auth.mails where error is not null')).rowCount === 1;
  await until(wasTried);
  sendgrid.failures.length = 0;
  // Otherwise the mail would be sent in ten seconds, in the middle of the test.
  await product.database.query("update auth.mails set next_at = now() + interval '1 hour'");
  const server = await addServer(product, admin, { name: 'web', host: '10.0.0.9' });
  const zone = await openZone({ product, cloudflare, token: admin });
  // Repeated logins close older sessions, so they need a user of their own.
  const visitor = await addUser(product, admin);
  return { enrolled: enrolled.credentials, secret, enrolling, proposed, visitor: visitor.credentials, server, zone };
}

async function readSealedValues(): Promise<Sealed[]> {
  const { rows } = await product.database.query<{ sealed: unknown }>(
    `select sendgrid_key as sealed from auth.settings union all select totp_secret from auth.users
     union all select secret from auth.two_factor_enrolments union all select body from auth.mails
     union all select credential from sites.servers union all select api_key from dns.configs`,
  );
  return rows.filter(({ sealed }) => sealed !== null).map(({ sealed }) => Sealed.parse(sealed));
}

const files = () => readKeyFiles(product.home);
const rotateHere = (isResealed: Rotation['isResealed']) =>
  rotate({ folder: product.home, isCopied: false, isResealed, log: silent });
const silent = () => undefined;
const untilResealed =
  (url: string, quietMs: number, log: Rotation['log'] = silent): Rotation['isResealed'] =>
  async (retired, keyFiles) => {
    await waitUntilResealed(url, keyFiles, { retired, log, quietMs });
    return true;
  };

const keys = (env: Record<string, string>, ...args: string[]) => runTool('keys', args, env);

describe('a rotation under a running product', () => {
  it('reseals every value without an interruption', async () => {
    const { enrolled, secret, enrolling, proposed, visitor, server, zone } = await createSealedValues();
    const oldKeyIds = kidsOf(files());
    const before = await readSealedValues();
    const newest = (...names: Caller[]) => names.map((name) => files()[name].opens[0]?.kid);
    const readers = [...Array<Caller>(4).fill('auth-svc'), 'ssh-agent', 'dns-svc'] as const;
    expect(before.map(kidOf)).toEqual(newest(...readers));
    const countOldValues = async () => {
      const tables = [...(await dumpTables(product.database)).values()].join('\n');
      return before.filter(({ ciphertext }) => tables.includes(ciphertext)).length;
    };
    expect(await countOldValues()).toBe(6);

    let isRotating = true;
    const answers: number[] = [];
    const keepLoggingIn = async () => {
      while (isRotating) answers.push((await login(visitor)).status);
    };
    const [ended] = await Promise.all([
      rotateHere(untilResealed(product.database.url, 2_000)).finally(() => {
        isRotating = false;
      }),
      keepLoggingIn(),
    ]);
    expect([ended, new Set(answers)]).toEqual([true, new Set([200])]);

    expect(new Set((await readSealedValues()).map(kidOf))).toEqual(new Set(newest('auth-svc', 'ssh-agent', 'dns-svc')));
    expect(await countOldValues()).toBe(0);
    expect(kidsOf(files()).filter((kid) => oldKeyIds.includes(kid))).toEqual([]);

    expect((await product.request('GET', `${zone.at}/dns`, { token: admin })).status).toBe(200);
    // A changed address proves that the sealed credential of the server can be opened.
    const addressChange = { token: admin, body: { host: '10.0.0.8' } };
    expect((await product.request('PUT', `/api/servers/${server.id}`, addressChange)).status).toBe(200);

    expect((await login(enrolled, { totp_code: totpOf(secret, 1) })).body['access_token']).toEqual(expect.any(String));
    const { secret: proposedSecret, backup_codes } = proposed;
    const verified = await post(
      '/api/auth/2fa/verify',
      { secret: proposedSecret, code: totpOf(String(proposedSecret)), backup_codes },
      enrolling.token,
    );
    expect(verified.status).toBe(200);
    await product.database.query('update auth.mails set next_at = now()');
    await until(() => sendgrid.mails.length === 1);
  });

  it('leaves files with which all processes start again', async () => {
    for (const app of ['auth-svc', 'gateway'] as const) {
      for (const process of product.processesOf(app)) await process.kill('SIGTERM');
      product.processes.splice(0, product.processes.length, ...product.processes.filter((entry) => entry.app !== app));
      await product.add(app);
    }
    expect(await product.login()).toEqual(expect.any(String));
    expect((await post('/api/settings/notifications/test', {}, await product.login())).status).toBe(200);
  });
});

describe('the end of a rotation', () => {
  it('waits for a value that no service reseals, in any table, and for uncommitted transactions', async () => {
    const { query } = product.database;
    const kid = files()['auth-svc'].opens[0]?.kid ?? '';
    const header = Buffer.from(JSON.stringify({ kid })).toString('base64url');
    const nested = JSON.stringify({ facts: [{ key: { protected: header, iv: 'a', ciphertext: 'b', tag: 'c' } }] });
    await query('create table auth.forgotten (kept jsonb)');
    await query(`grant select on auth.forgotten to ${new URL(product.database.url).pathname.slice(1)}_auth`);
    await query('insert into auth.forgotten values ($1)', [nested]);
    const logLines: string[] = [];
    const ended = rotateHere(untilResealed(product.database.url, 1_000, (line) => void logLines.push(line)));
    const countReports = () => logLines.filter((line) => line.includes('auth.forgotten.kept (1)')).length;
    await until(() => countReports() === 1);

    const lateClient = new Client({ connectionString: product.database.url });
    await lateClient.connect();
    await lateClient.query('begin');
    await lateClient.query('insert into auth.forgotten values ($1)', [nested]);
    await query('delete from auth.forgotten');
    // The rotation has found nothing for long enough, and now waits for older transactions.
    const waitingQuery =
      "select 1 from pg_stat_activity where query like '%xmax(pg_current%' and pid <> pg_backend_pid()";
    await until(async () => (await query(waitingQuery)).rowCount === 1);
    await lateClient.query('commit');
    await lateClient.end();
    await until(() => countReports() === 2);
    expect(kidsOf(files())).toContain(kid);
    await query('delete from auth.forgotten');
    expect(await ended).toBe(true);
    expect(kidsOf(files())).not.toContain(kid);
  });

  it('is refused on the database of another installation, even one without old values', async () => {
    const otherProduct = await TestProduct.start([]);
    try {
      for (const app of ['auth-svc', 'sites-svc', 'dns-svc'] as const) await otherProduct.migrate(app);
      const before = kidsOf(files());
      await expect(rotateHere(untilResealed(otherProduct.database.url, 0))).rejects.toThrow('ne se laisse pas ouvrir');
      expect(kidsOf(files())).toEqual(expect.arrayContaining(before));
    } finally {
      await otherProduct.stop();
    }
    expect(await rotateHere(untilResealed(product.database.url, 1_000))).toBe(true);
  });
});

describe('the command', () => {
  it('takes one step per run for copied files, and needs the database for the last step', async () => {
    const copiedFolder = join(product.home, 'carried');
    mkdirSync(copiedFolder);
    for (const name of processes) {
      writeFileSync(keyFile(copiedFolder, name), JSON.stringify(files()[name]));
    }
    const run = () => keys({ VIGIE_HOME: join(product.home, 'nobody') }, 'rotate', '--in', copiedFolder);
    expect(await run()).toEqual({
      code: 3,
      printed: expect.stringContaining('Étape 1 sur 3 : portez à chaque processus'),
    });
    expect(await run()).toEqual({ code: 3, printed: expect.stringContaining('Étape 2 sur 3 : portez de nouveau') });
    expect(await run()).toEqual({ code: 1, printed: expect.stringContaining('Donnez par DATABASE_URL') });
  });

  it('prepares the files of npm start while nothing runs, and says how to continue', async () => {
    const home = join(product.home, 'home');
    writeKeys(join(home, 'keys'));
    const { code, printed } = await keys({ VIGIE_HOME: home }, 'rotate');
    expect([code, printed]).toEqual([3, expect.stringContaining('Vigie ne tourne pas : lancez npm start')]);
    expect(readKeyFiles(join(home, 'keys')).gateway.readers['auth-svc']).toHaveLength(2);
  });

  it('prints its help, and refuses unknown options', async () => {
    expect(await keys({}, '--help')).toEqual({ code: 0, printed: expect.stringContaining('keys -- rotate') });
    const unknown = [['rotate', '--everything'], ['rotate', '--in'], ['--out'], ['turn']];
    const refused = { code: 1, printed: expect.stringContaining('keys -- rotate') };
    expect(await Promise.all(unknown.map((args) => keys({}, ...args)))).toEqual(unknown.map(() => refused));
    const nowhere = await keys({ VIGIE_HOME: join(product.home, 'nobody') }, 'rotate');
    expect(nowhere).toEqual({ code: 1, printed: expect.stringContaining('Il n’y a pas de clés dans') });
  });
});
