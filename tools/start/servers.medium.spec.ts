import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool } from '@vigie/testing/tools';
import { isAlive, readOwner } from '../lock.mjs';
import { findPostgres } from './binaries';
import { pidFile } from './child';
import { runCommand } from './command';
import { answers } from './ports';
import { type Servers, startServers } from './servers';
import { waitFor } from './wait';

let home: string;
let servers: Servers;
const logLines: string[] = [];
const start = () => startServers({ home, log: (line) => logLines.push(line), durable: false, addresses: {} });

beforeAll(async () => {
  home = join(mkdtempSync(join(tmpdir(), 'vigie-servers-')), 'state folder');
  chmodSync(join(home, '..'), 0o755);
  servers = await start();
});
afterAll(async () => {
  await servers.stop();
  rmSync(join(home, '..'), { recursive: true });
});

const parseAddress = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });
const owner = (name: string) => readOwner(pidFile(home, name)) ?? { pid: 0, mark: undefined };
const redis = (line: string, expected: RegExp) =>
  answers(parseAddress(servers.redisUrl), `AUTH ${new URL(servers.redisUrl).password}\r\n${line}\r\n`, expected);

const psql = join(findPostgres(undefined)?.folder ?? '', 'psql');
const query = async (text: string, url = servers.databaseUrl) =>
  (await runCommand(psql, ['-X', '-A', '-t', '-c', text, url])).trim();

function withPassword(url: string, password: string) {
  const changed = new URL(url);
  changed.password = password;
  return changed.href;
}

it('requires the password from every client', async () => {
  await expect(query('select 1', withPassword(servers.databaseUrl, 'guess'))).rejects.toThrow(
    'password authentication failed',
  );
  expect(await answers(parseAddress(servers.redisUrl), 'PING\r\n', /^-NOAUTH/)).toBe(true);
  expect(await answers(parseAddress(servers.natsUrl), 'CONNECT {}\r\nPING\r\n', /Authorization Violation/)).toBe(true);
});

it('listens on loopback only, and converts the case of é', async () => {
  expect(await query(`select upper('é'), current_setting('listen_addresses')`)).toBe('É|127.0.0.1');
});

it('restarts a killed server at the same address', async () => {
  for (const name of ['redis', 'nats', 'postgresql']) {
    const previous = owner(name);
    process.kill(previous.pid, 'SIGKILL');
    await waitFor(async () => owner(name).pid !== previous.pid && isAlive(owner(name)), { timeoutMs: 60_000 });
  }
  expect(await waitFor(() => redis('PING', /\+PONG/), { timeoutMs: 60_000 })).toBe(true);
  const isUp = () =>
    query('select 1').then(
      () => true,
      () => false,
    );
  expect(await waitFor(isUp, { timeoutMs: 60_000 })).toBe(true);
  expect(logLines.filter((line) => line.includes('SIGKILL'))).toHaveLength(3);
});

it('keeps the data across a restart, and leaves no process in between', async () => {
  await query('create table kept as select 1 as one');
  expect(await redis('SET kept one', /\+OK\r\n\+OK/)).toBe(true);
  const pids = ['postgresql', 'redis', 'nats'].map(owner);
  await servers.stop();
  expect(pids.map(isAlive)).toEqual([false, false, false]);
  // A backup starts the stopped database itself, and stops it again.
  const { code, printed } = await runTool('backup', [join(home, '..', 'a.backup')], { VIGIE_HOME: home });
  expect([code, printed]).toEqual([1, expect.stringMatching(/PostgreSQL \d+ est prêt[^]*ne contient pas les données/)]);
  expect(isAlive(owner('postgresql'))).toBe(false);
  servers = await start();
  expect(await query('select one from kept')).toBe('1');
  expect(await redis('GET kept', /one/)).toBe(true);
});

it('refuses a second starter of the same folder', async () => {
  await expect(start()).rejects.toThrow(`processus ${process.pid}`);
});

it('uses external servers and starts none', async () => {
  const other = join(home, '..', 'other');
  const addresses = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, NATS_URL: servers.natsUrl };
  const external = await startServers({ home: other, log: (line) => logLines.push(line), addresses });
  expect(external).toMatchObject({
    databaseUrl: servers.databaseUrl,
    redisUrl: servers.redisUrl,
    natsUrl: servers.natsUrl,
  });
  await external.stop();
});

it('names the variable of an external server that does not answer', async () => {
  const addresses = { REDIS_URL: 'redis://127.0.0.1:9', DATABASE_URL: servers.databaseUrl, NATS_URL: servers.natsUrl };
  const attempt = startServers({ home: join(home, '..', 'other'), log: () => {}, addresses });
  await expect(attempt).rejects.toThrow('Redis ne répond pas à 127.0.0.1:9, l’adresse de REDIS_URL.');
});
