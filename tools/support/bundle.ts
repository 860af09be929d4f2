import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, freemem, loadavg, release as kernel, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { Readiness } from '@vigie/contracts/health';
import { release } from '@vigie/contracts/release';
import type { Client } from 'pg';
import { databaseUrl, openDatabase } from '../database';
import { addressOf } from '../start/address';
import type { Settings } from '../start/env';
import { findStarter } from '../start/home';
import { linesSince } from '../start/logs';
import { metricsPorts } from '../start/services';
import { reasonOf } from '../terminal';
import { addRows, addSettings } from './gather-known-values';
import { KnownValues } from './known-values';
import { readStatistics } from './statistics';
import { Scrubber } from './scrub';
import { describeSettings } from './settings';
import type { Files } from './tar';

const maxLines = 400;
const timeoutMs = 10_000;
const maxMetricsChars = 2_000_000;

/** For processes that run elsewhere: a folder with their logs, and one with their keys. */
export type RemoteFolders = { from?: string | undefined; keys?: string | undefined };

/** Gathers the files of a support bundle. A file that cannot be had contains the reason instead. */
export async function gather(settings: Settings, { from, keys }: RemoteFolders = {}): Promise<Files> {
  const knownValues = new KnownValues();
  addSettings(knownValues, settings, keys);
  const files = new Map<string, string>();
  const scrubber = new Scrubber(knownValues);
  const redactedReason = (error: unknown) => scrubber.sentence(reasonOf(error));
  const addFile = async (name: string, read: () => unknown) => {
    const content = await Promise.resolve()
      .then(read)
      .catch((error: unknown) => `could not be read: ${redactedReason(error)}`);
    files.set(name, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  };
  await addFile('versions.json', () => describeMachine(settings, from));
  await addFile('settings.json', () => describeSettings(settings.env));
  await addFile('health.json', () => (from === undefined ? fetchHealth(settings) : readHealth(from)));
  await addFile('ledger.json', () =>
    queryDatabase(databaseUrl(settings), async (client) => {
      // First, because everything that is gathered afterwards may contain these values.
      const rowsAdded = await addRows(knownValues, client).then(() => true, redactedReason);
      return { is_known: rowsAdded, ...(await readStatistics(client, redactedReason)) };
    }),
  );
  const logs = from ?? join(settings.home, 'logs');
  for (const name of listFiles(logs, 'log'))
    await addFile(`logs/${name}`, () => scrubber.lines(linesSince(join(logs, name), 0).slice(-maxLines)).join('\n'));
  for (const name of from === undefined ? [] : listFiles(from, 'prom'))
    await addFile(`metrics/${name}`, () => readFileSync(join(from ?? '', name), 'utf8').slice(0, maxMetricsChars));
  for (const [service, port] of settings.metricsPort ? metricsPorts(settings.metricsPort) : []) {
    await addFile(`metrics/${service}.prom`, () => fetchMetrics(`${addressOf(settings.host, port)}/metrics`));
  }
  return files;
}

async function queryDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openDatabase(url);
  try {
    await client.query("set statement_timeout = '10s'");
    await client.query('set default_transaction_read_only = on');
    return await work(client);
  } finally {
    await client.end();
  }
}

function describeMachine({ home }: Settings, from: string | undefined) {
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
    // Unknown for processes that run elsewhere.
    runs: from === undefined ? findStarter(home) !== undefined : undefined,
    at: new Date().toISOString(),
  };
}

async function fetchHealth({ home }: Settings): Promise<unknown> {
  const address = findStarter(home)?.['address'];
  if (typeof address !== 'string') return 'nothing runs in this state folder';
  const response = await fetch(`${address}/api/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.status, body: await response.json() };
}

/** Reads a saved answer of /api/health/ready, without any other fields. */
const readHealth = (from: string) => ({
  body: Readiness.parse(JSON.parse(readFileSync(join(from, 'health.json'), 'utf8'))),
});

async function fetchMetrics(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  return (await response.text()).slice(0, maxMetricsChars);
}

function listFiles(folder: string, end: 'log' | 'prom'): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => new RegExp(`^[a-z-]{1,40}\\.${end}$`).test(name));
}
