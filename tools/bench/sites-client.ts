import { SshPool } from '@vigie/ssh/pool';
import { runScript } from '@vigie/ssh/script';
import type { SshTarget } from '@vigie/ssh/target';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { inspectSite } from '@vigie/wordpress/inspect';
import { findPhp } from '@vigie/wordpress/php';
import { scanSites } from '@vigie/wordpress/scan';
import { mapPooled } from '@vigie/testing/map-pooled';

export type SitesTask =
  | { kind: 'inspect'; sites: readonly BenchSite[]; atOnce: number }
  | { kind: 'scan'; sites: readonly BenchSite[] };

export type BenchSite = { path: string; url: string };

export type SitesResult = { ms: number; cpuMs: number; readCount: number };

const target: SshTarget = { ...JSON.parse(process.env['VIGIE_BENCH_SSH'] ?? '{}'), mayConnect: () => true };
const pool = new SshPool();
const host: Host = {
  run: (script, options) => pool.use('host', target, (connection) => runScript(connection, script, options)),
};
const { binary: php } = await findPhp(host, null);

async function inspectAll({ sites, atOnce }: Extract<SitesTask, { kind: 'inspect' }>): Promise<number> {
  const areRead = await mapPooled(sites, atOnce, async (site) => {
    const { state } = await inspectSite(host, site, { php, refreshes: false, api: null });
    return state.problem === null && state.extensions.length > 0;
  });
  return areRead.filter(Boolean).length;
}

async function scanAll({ sites }: SitesTask): Promise<number> {
  const paths = sites.map(({ path }) => path);
  const scans = await scanSites(host, paths, { php });
  return scans.filter((scan) => scan && !(scan instanceof SiteFailure) && scan.state.extensions.length > 0).length;
}

async function answer(task: SitesTask): Promise<void> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const readCount = task.kind === 'inspect' ? await inspectAll(task) : await scanAll(task);
  const { user, system } = process.cpuUsage(before);
  const result: SitesResult = { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, readCount };
  process.send?.(result);
}

process.on('message', (task: SitesTask) => void answer(task));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
