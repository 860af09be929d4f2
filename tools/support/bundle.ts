import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, freemem, loadavg, release as kernel, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { Readiness } from '@vigie/contracts/health';
import { release } from '@vigie/contracts/release';
import type { Client } from 'pg';
import { databaseUrl, openDatabase } from '../database';
import { addressOf } from '../start/address';
import type { Settings } from '../start/env';
import { starterOf } from '../start/home';
import { linesSince } from '../start/logs';
import { metricsPorts } from '../start/services';
import { reasonOf } from '../terminal';
import { addRows, addSettings } from './gather-known';
import { Known } from './known';
import { readLedger } from './ledger';
import { Scrubber } from './scrub';
import { tellSettings } from './settings';
import type { Files } from './tar';

const maxLines = 400;
const patienceMs = 10_000;
const maxMeasures = 2_000_000;

/** Where it is, for processes that run elsewhere: what they said, as a folder, and their keys, which nobody may read here. */
export type Places = { from?: string | undefined; keys?: string | undefined };

/** What whoever helps asks for first. What cannot be had says why, in its own place. */
export async function gather(settings: Settings, { from, keys }: Places = {}): Promise<Files> {
  const known = new Known();
  addSettings(known, settings, keys);
  const files = new Map<string, string>();
  const scrubber = new Scrubber(known);
  const why = (error: unknown) => scrubber.sentence(reasonOf(error));
  const put = async (name: string, read: () => unknown) => {
    const said = await Promise.resolve()
      .then(read)
      .catch((error: unknown) => `could not be read: ${why(error)}`);
    files.set(name, typeof said === 'string' ? said : `${JSON.stringify(said, null, 2)}\n`);
  };
  await put('versions.json', () => machine(settings, from));
  await put('settings.json', () => tellSettings(settings.given));
  await put('health.json', () => (from === undefined ? health(settings) : toldHealth(from)));
  await put('ledger.json', () =>
    asking(databaseUrl(settings), async (client) => {
      // First: what is said from here on may name them.
      const isKnown = await addRows(known, client).then(() => true, why);
      return { is_known: isKnown, ...(await readLedger(client, why)) };
    }),
  );
  const logs = from ?? join(settings.home, 'logs');
  for (const name of namesIn(logs, 'log'))
    await put(`logs/${name}`, () => scrubber.lines(linesSince(join(logs, name), 0).slice(-maxLines)).join('\n'));
  for (const name of from === undefined ? [] : namesIn(from, 'prom'))
    await put(`metrics/${name}`, () => readFileSync(join(from ?? '', name), 'utf8').slice(0, maxMeasures));
  for (const [service, port] of settings.metricsPort ? metricsPorts(settings.metricsPort) : []) {
    await put(`metrics/${service}.prom`, () => measures(`${addressOf(settings.host, port)}/metrics`));
  }
  return files;
}

async function asking<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = await openDatabase(url);
  try {
    await client.query("set statement_timeout = '10s'");
    await client.query('set default_transaction_read_only = on');
    return await ask(client);
  } finally {
    await client.end();
  }
}

function machine({ home }: Settings, from: string | undefined) {
  const disk = existsSync(home) ? statfsSync(home) : undefined;
  return {
    vigie: release,
    node: process.version,
    system: `${process.platform} ${arch()} ${kernel()}`,
    cpus: availableParallelism(),
    load: loadavg(),
    memory: { total: totalmem(), free: freemem() },
    uptime_seconds: Math.round(uptime()),
    disk: disk && { bytes: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize, files_free: disk.ffree },
    // Of processes elsewhere nobody knows it here.
    runs: from === undefined ? starterOf(home) !== undefined : undefined,
    at: new Date().toISOString(),
  };
}

async function health({ home }: Settings): Promise<unknown> {
  const address = starterOf(home)?.['address'];
  if (typeof address !== 'string') return 'nothing runs in this state folder';
  const response = await fetch(`${address}/api/health/ready`, { signal: AbortSignal.timeout(patienceMs) });
  return { status: response.status, body: await response.json() };
}

/** As /api/health/ready answered whoever asked: nothing else of what is there. */
const toldHealth = (from: string) => ({
  body: Readiness.parse(JSON.parse(readFileSync(join(from, 'health.json'), 'utf8'))),
});

async function measures(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  return (await response.text()).slice(0, maxMeasures);
}

function namesIn(folder: string, end: 'log' | 'prom'): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => new RegExp(`^[a-z-]{1,40}\\.${end}$`).test(name));
}
