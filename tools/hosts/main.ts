import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../bare/debian';
import { build } from '../start/build';
import { inherited } from '../start/env';
import { startServers } from '../start/servers';
import { Children } from '../test/children';
import { closingLine, isGood, type Outcome, sum } from '../test/results';
import { runVitest } from '../test/vitest';
import { fr, say } from '../terminal';
import { requireRootAndPrograms } from '../bare/requirements';
import { runTrial, step } from '../trials';
import { makeHost, type Release } from './debian';
import { help, type HostsOptions, parts, readHostsOptions } from './options';
import enterScript from './enter.sh';
import messagesScript from './messages.php';

const programs = ['apt-get', 'unshare', 'chroot'];

type Host = { release: Release; root: string };
type TestSelection = { project: 'medium' | 'hosts'; filter: readonly string[]; env: NodeJS.ProcessEnv };

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

/** Runs test files on hosts of a Debian; a PHP message about one of our programs counts as a failure. */
async function runTestsOn(
  { release, root }: Host,
  children: Children,
  { project, filter, env }: TestSelection,
): Promise<Outcome> {
  const shared = shareFolder(release);
  const leftFolder = join(shared, 'left');
  mkdirSync(leftFolder);
  const outcome = await runVitest(project, children, {
    folder: shared,
    filter,
    wrapper: ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', enterScript, root, shared],
    env: {
      ...env,
      VIGIE_TEST_ROOT: root,
      VIGIE_TEST_LEFT: leftFolder,
      // The templates of sites depend on the PHP and MariaDB of the release.
      VIGIE_HOME: join(cacheFolder, `sites-${release}`),
    },
  });
  const messages = new Set(readFileSync(messagesFile(shared), 'utf8').split('\n').slice(0, -1));
  if (messages.size === 0) return outcome;
  const { tally, output } = outcome;
  const list = [...messages].toSorted().join('\n');
  return {
    tally: { ...tally, failed: tally.failed + 1 },
    output: `${output}\n${fr`PHP dit de nos programmes :`}\n${list}`,
  };
}

const messagesFile = (shared: string) => join(shared, 'messages');

/** The host sees this folder at /mnt, and its users write PHP's messages there. */
function shareFolder(release: Release): string {
  const shared = mkdtempSync(join(tmpdir(), `vigie-host-${release}-`));
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, 'messages.php'), messagesScript);
  writeFileSync(messagesFile(shared), '');
  chmodSync(messagesFile(shared), 0o666);
  return shared;
}

await runTrial((signal) => main(process.argv.slice(2), signal));
