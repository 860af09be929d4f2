import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy } from '@vigie/testing/fleet/machine';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { inspectProgram } from '@vigie/wordpress/inspect';
import { busyMs } from '../proc';
import { root, searchPath } from '../start/env';
import { fr } from '../terminal';
import { openAnsible, type Play } from './ansible';
import { runMeasured, type RivalUsage } from './measured-command';
import { LibraryClient } from './library-client';
import { type Measured, reportSites } from './sites-report';
import type { BenchSite, SitesResult, SitesTask } from './sites-tasks';
import { ensureSshPrograms, opensshOptions } from './ssh-stage';
import { median } from './statistics';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const count = 50;
const quickCount = 5;
const rounds = 3;
/** Number of sites of one server that the product reads at once. */
const atOnce = 4;
/** With more connections at once, sshd drops some of them. */
const xargsAtOnce = 5;

const rivalScript = (name: string) => join(root, 'tools/bench/rivals', name);

/** Measures how libs/wordpress, Ansible and ssh read and query real sites on one server. */
export async function benchSites(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const sites = fleet.sites.map(({ path, url }) => ({ path, url }));
  const contenders = await openContenders(bench, fleet, sites);
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const passes: Record<keyof typeof contenders, Measured[]> = {
    inspect: [],
    scan: [],
    ansibleBoots: [],
    xargsBoots: [],
    ansibleSame: [],
    xargsSame: [],
  };
  const roundCount = isQuick ? 1 : rounds;
  for (let round = 0; round < roundCount; round++) {
    for (const name of names) {
      bench.signal.throwIfAborted();
      bench.step(fr`tour ${round + 1} sur ${roundCount}, ${contenderNames[name]}`);
      const before = busyMs();
      const { ms, cpuMs } = await contenders[name]();
      passes[name].push({ ms, clientMs: cpuMs, hostMs: busyMs() - before - cpuMs });
    }
  }
  bench.step(fr`compte ce que prend le seul démarrage des sites`);
  const bootMs = await processorOfBoots(bench, sites);
  reportSites({ count: sites.length, passes, bootMs });
}

const contenderNames = {
  inspect: 'Vigie interroge',
  scan: 'Vigie lit',
  ansibleBoots: 'Ansible démarre WordPress',
  xargsBoots: 'xargs et ssh démarrent WordPress',
  ansibleSame: 'Ansible interroge',
  xargsSame: 'xargs et ssh interrogent',
};

/** Each contender processes the whole fleet. */
async function openContenders(bench: Workbench, fleet: Fleet, sites: readonly BenchSite[]) {
  const { port, privateKey, hostKey } = fleet.host;
  const auth = { privateKey };
  const client = await LibraryClient.start<SitesTask, SitesResult>(bench, 'sites-client', {
    host: '127.0.0.1',
    port,
    user: deploy.name,
    auth,
    hostKey,
  });
  const runTask = async (task: SitesTask): Promise<SitesResult> => {
    const result = await client.run(task);
    if (result.readCount !== sites.length) throw new Error(`${result.readCount} of ${sites.length} sites were read`);
    return result;
  };
  const payload = programPath(bench);
  writeFileSync(payload, inspectProgram, { mode: 0o644 });
  const boots = `sh ${rivalScript('boots.sh')} ${rivalScript('boot.php')} "{{ site }}"`;
  const same = `sh ${payload} php "{{ given }}" 60 "{{ site }}"`;
  const plays = {
    boots: { module: 'shell', command: boots },
    same: { module: 'raw', command: same },
  } as const satisfies Record<string, Play>;
  const hosts = sites.map((site) => ({
    port,
    privateKey,
    user: deploy.name,
    variables: { site: site.path, given: encodeInput(site) },
  }));
  const ansible = await openAnsible(bench, hosts, plays);
  const ssh = ['ssh', ...opensshOptions(bench, fleet.host)(port), `${deploy.name}@127.0.0.1`];
  const runByXargs = (createCommand: (site: BenchSite) => string) => runXargs(ssh, sites.map(createCommand));
  return {
    inspect: () => runTask({ kind: 'inspect', sites, atOnce }),
    scan: () => runTask({ kind: 'scan', sites }),
    ansibleBoots: () => ansible.run('boots'),
    xargsBoots: () => runByXargs(({ path }) => `sh ${rivalScript('boots.sh')} ${rivalScript('boot.php')} ${path}`),
    ansibleSame: () => ansible.run('same'),
    xargsSame: () => runByXargs((site) => `sh ${payload} php ${encodeInput(site)} 60 ${site.path} >/dev/null; echo ok`),
  };
}

const programPath = (bench: Workbench) => join(bench.folder, 'inspect.sh');

const encodeInput = ({ path, url }: BenchSite) =>
  Buffer.from(JSON.stringify({ path, url, skip: false, refresh: false, api: null, word: 'x'.repeat(32) })).toString(
    'base64',
  );

async function runXargs(ssh: readonly string[], commands: readonly string[]): Promise<RivalUsage> {
  const input = `${commands.map((command) => `'${command}'`).join('\n')}\n`;
  const args = [`-P${xargsAtOnce}`, '-I{}', ...ssh, '{}'];
  const { output, ...usage } = await runMeasured(['xargs', ...args], { input, env: { PATH: searchPath() } });
  const answered = output.match(/^ok\b/gm)?.length ?? 0;
  if (answered !== commands.length) throw new Error(`${answered} sites answered ssh:\n${output.slice(-2_000)}`);
  return usage;
}

/** Measures the processor time of a WordPress start alone. */
async function processorOfBoots(bench: Workbench, sites: readonly BenchSite[]): Promise<number> {
  const { uid, gid } = deploy;
  const cpuTimes: number[] = [];
  for (const site of sites.slice(0, 10)) {
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const command = [...as, 'sh', programPath(bench), 'php', encodeInput(site), '60', site.path];
    cpuTimes.push((await runMeasured(command, { cwd: '/', env: { PATH: searchPath() } })).cpuMs);
  }
  return median(cpuTimes);
}
