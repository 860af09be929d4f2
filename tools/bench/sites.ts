import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy } from '@vigie/testing/fleet/machine';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { inspectProgram } from '@vigie/wordpress/inspect';
import { busyMs } from '../proc';
import { root, searchPath } from '../start/env';
import { fr } from '../terminal';
import { openAnsible, type Play } from './ansible';
import { runCounted, type Rivalled } from './counted';
import { OwnClient } from './own-client';
import { type Measured, reportSites } from './sites-report';
import type { BenchSite, Looked, SitesTask } from './sites-tasks';
import { ensureSshPrograms, opensshOptions } from './ssh-stage';
import { median } from './statistics';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const count = 50;
const quickCount = 5;
const rounds = 3;
/** What a server is asked at once. */
const atOnce = 4;
/** Rivals with many connections at once lose some of them to sshd: these are the most that lose none. */
const xargsAtOnce = 5;

const rivalOf = (name: string) => join(root, 'tools/bench/rivals', name);

/** Real sites on one real server: read and asked by libs/wordpress, by Ansible and by ssh. */
export async function benchSites(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const sites = fleet.sites.map(({ path, url }) => ({ path, url }));
  const contenders = await openContenders(bench, fleet, sites);
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const taken: Record<keyof typeof contenders, Measured[]> = {
    inspect: [],
    scan: [],
    ansibleBoots: [],
    xargsBoots: [],
    ansibleSame: [],
    xargsSame: [],
  };
  const all = isQuick ? 1 : rounds;
  for (let round = 0; round < all; round++) {
    for (const name of names) {
      bench.signal.throwIfAborted();
      bench.step(fr`tour ${round + 1} sur ${all}, ${contenderNames[name]}`);
      const before = busyMs();
      const { ms, cpuMs } = await contenders[name]();
      taken[name].push({ ms, hereMs: cpuMs, thereMs: busyMs() - before - cpuMs });
    }
  }
  bench.step(fr`compte ce que prend le seul démarrage des sites`);
  const bootMs = await processorOfBoots(bench, sites);
  reportSites({ count: sites.length, taken, bootMs });
}

const contenderNames = {
  inspect: 'Vigie interroge',
  scan: 'Vigie lit',
  ansibleBoots: 'Ansible démarre WordPress',
  xargsBoots: 'xargs et ssh démarrent WordPress',
  ansibleSame: 'Ansible interroge',
  xargsSame: 'xargs et ssh interrogent',
};

/** Each does the whole fleet once. */
async function openContenders(bench: Workbench, fleet: Fleet, sites: readonly BenchSite[]) {
  const { port, privateKey, hostKey } = fleet.host;
  const auth = { privateKey };
  const own = await OwnClient.start<SitesTask, Looked>(bench, 'sites-client', {
    host: '127.0.0.1',
    port,
    user: deploy.name,
    auth,
    hostKey,
  });
  const look = async (task: SitesTask): Promise<Looked> => {
    const done = await own.run(task);
    if (done.seen !== sites.length) throw new Error(`${done.seen} of ${sites.length} sites were seen`);
    return done;
  };
  const payload = payloadOf(bench);
  writeFileSync(payload, inspectProgram, { mode: 0o644 });
  const boots = `sh ${rivalOf('boots.sh')} ${rivalOf('boot.php')} "{{ site }}"`;
  const same = `sh ${payload} php "{{ given }}" 60 "{{ site }}"`;
  const plays = {
    boots: { module: 'shell', command: boots },
    same: { module: 'raw', command: same },
  } as const satisfies Record<string, Play>;
  const hosts = sites.map((site) => ({
    port,
    privateKey,
    user: deploy.name,
    variables: { site: site.path, given: givenOf(site) },
  }));
  const ansible = await openAnsible(bench, hosts, plays);
  const ssh = ['ssh', ...opensshOptions(bench, fleet.host)(port), `${deploy.name}@127.0.0.1`];
  const byXargs = (commandOf: (site: BenchSite) => string) => runXargs(ssh, sites.map(commandOf));
  return {
    inspect: () => look({ kind: 'inspect', sites, atOnce }),
    scan: () => look({ kind: 'scan', sites }),
    ansibleBoots: () => ansible.look('boots'),
    xargsBoots: () => byXargs(({ path }) => `sh ${rivalOf('boots.sh')} ${rivalOf('boot.php')} ${path}`),
    ansibleSame: () => ansible.look('same'),
    xargsSame: () => byXargs((site) => `sh ${payload} php ${givenOf(site)} 60 ${site.path} >/dev/null; echo ok`),
  };
}

const payloadOf = (bench: Workbench) => join(bench.folder, 'inspect.sh');

const givenOf = ({ path, url }: BenchSite) =>
  Buffer.from(JSON.stringify({ path, url, skip: false, refresh: false, api: null, word: 'x'.repeat(32) })).toString(
    'base64',
  );

async function runXargs(ssh: readonly string[], commands: readonly string[]): Promise<Rivalled> {
  const input = `${commands.map((command) => `'${command}'`).join('\n')}\n`;
  const args = [`-P${xargsAtOnce}`, '-I{}', ...ssh, '{}'];
  const { printed, ...taken } = await runCounted(['xargs', ...args], { input, env: { PATH: searchPath() } });
  const answered = printed.match(/^ok\b/gm)?.length ?? 0;
  if (answered !== commands.length) throw new Error(`${answered} sites answered ssh:\n${printed.slice(-2_000)}`);
  return taken;
}

/** What starting a site takes of the processor, with nothing around it: what nobody can do without. */
async function processorOfBoots(bench: Workbench, sites: readonly BenchSite[]): Promise<number> {
  const { uid, gid } = deploy;
  const taken: number[] = [];
  for (const site of sites.slice(0, 10)) {
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const command = [...as, 'sh', payloadOf(bench), 'php', givenOf(site), '60', site.path];
    taken.push((await runCounted(command, { cwd: '/', env: { PATH: searchPath() } })).cpuMs);
  }
  return median(taken);
}
