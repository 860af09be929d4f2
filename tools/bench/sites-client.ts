import { SshPool } from '@vigie/ssh/pool';
import { runScript } from '@vigie/ssh/script';
import type { SshTarget } from '@vigie/ssh/target';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { inspectSite } from '@vigie/wordpress/inspect';
import { findPhp } from '@vigie/wordpress/php';
import { scanSites } from '@vigie/wordpress/scan';
import type { Looked, SitesTask } from './sites-tasks';

const target: SshTarget = { ...JSON.parse(process.env['VIGIE_BENCH_SSH'] ?? '{}'), mayConnect: () => true };
const pool = new SshPool();
const host: Host = {
  run: (script, options) => pool.use('host', target, (connection) => runScript(connection, script, options)),
};
const { binary: php } = await findPhp(host, null);

async function inspectAll({ sites, atOnce }: Extract<SitesTask, { kind: 'inspect' }>): Promise<number> {
  const due = [...sites];
  let seen = 0;
  const work = async () => {
    for (let site = due.shift(); site; site = due.shift()) {
      const { facts } = await inspectSite(host, site, { php, refreshes: false, api: null });
      if (facts.problem === null && facts.extensions.length > 0) seen += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return seen;
}

async function scanAll({ sites }: SitesTask): Promise<number> {
  const paths = sites.map(({ path }) => path);
  const scans = await scanSites(host, paths, { php });
  return scans.filter((scan) => scan && !(scan instanceof SiteFailure) && scan.facts.extensions.length > 0).length;
}

async function answer(task: SitesTask): Promise<void> {
  const [since, before] = [performance.now(), process.cpuUsage()];
  const seen = task.kind === 'inspect' ? await inspectAll(task) : await scanAll(task);
  const { user, system } = process.cpuUsage(before);
  const done: Looked = { ms: performance.now() - since, cpuMs: (user + system) / 1000, seen };
  process.send?.(done);
}

process.on('message', (task: SitesTask) => void answer(task));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
