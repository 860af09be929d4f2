import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../start/build';
import { inherited } from '../start/env';
import { startServers } from '../start/servers';
import { Children } from '../test/children';
import { closingLine, isGood, type Outcome, sum } from '../test/results';
import { fr, say } from '../terminal';
import { requireRootAndPrograms } from '../bare/requirements';
import { runTrial, step } from '../trials';
import { makeHost } from './debian';
import { help, type HostsOptions, parts, readHostsOptions } from './options';
import { type Host, runTestsOn } from './trial';

const programs = ['apt-get', 'unshare', 'chroot'];

type Run = { title: string; start: () => Promise<Outcome> };

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const options = readHostsOptions(args);
  if (!options) {
    console.log(help);
    return 0;
  }
  requireRootAndPrograms(programs);
  const hosts: Host[] = [];
  for (const release of options.releases) hosts.push({ release, root: await makeHost(release, signal) });
  await build(say, inherited, signal);
  const tallies = [];
  for (const { title, start } of planRuns(hosts, options, signal)) {
    step(title);
    const { tally, output } = await start();
    if (!isGood(tally)) console.log(`${output.trim()}\n`);
    say(`${isGood(tally) ? '✓' : '✗'} ${title}\u00a0: ${closingLine(tally)}`);
    tallies.push(tally);
  }
  const total = sum(tallies);
  console.log(closingLine(total));
  return tallies.every(isGood) ? 0 : 1;
}

function planRuns(hosts: readonly Host[], options: HostsOptions, signal: AbortSignal): Run[] {
  const children = new Children();
  const filter = options.parts.flatMap((part) => (part === 'pairs' ? [] : parts[part]));
  const releaseRuns = hosts.map((host) => ({
    title: fr`Debian ${host.release}`,
    start: () => withServers(host, signal, (env) => runTestsOn(host, children, { project: 'medium', filter, env })),
  }));
  const pairs = options.parts.includes('pairs') ? planPairs(hosts, children) : [];
  return [...(filter.length > 0 ? releaseRuns : []), ...pairs];
}

/** Each Debian has its own servers, because the tests of the next one would find what these leave there. */
async function withServers(
  { release }: Host,
  signal: AbortSignal,
  work: (env: NodeJS.ProcessEnv) => Promise<Outcome>,
): Promise<Outcome> {
  const home = join(tmpdir(), `servers-${release}`);
  mkdirSync(home);
  const servers = await startServers({ home, log: say, durable: false, addresses: {}, signal });
  try {
    return await work({
      DATABASE_URL: servers.databaseUrl,
      REDIS_URL: servers.redisUrl,
      NATS_URL: servers.natsUrl,
    });
  } finally {
    await servers.stop();
  }
}

/** Each Debian packs a site; after that, each restores all of these backups. */
function planPairs(hosts: readonly Host[], children: Children): Run[] {
  const folder = mkdtempSync(join(tmpdir(), 'vigie-pairs-'));
  const runs = (words: string, test: string) =>
    hosts.map((host) => ({
      title: fr`Debian ${host.release}, ${words}`,
      start: () =>
        runTestsOn(host, children, {
          project: 'hosts',
          filter: ['-t', test],
          env: { VIGIE_TEST_PAIRS: folder, VIGIE_TEST_RELEASE: host.release },
        }),
    }));
  return [...runs('sauvegarde pour toutes', 'is packed'), ...runs('restauration de toutes', 'is restored')];
}

await runTrial((signal) => main(process.argv.slice(2), signal));
