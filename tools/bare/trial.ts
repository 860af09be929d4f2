import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claim, isAlive, readOwner, release as unlock } from '../lock.mjs';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { waitFor } from '../start/wait';
import { type Log, Refusal, fr, say, seconds } from '../terminal';
import { cacheFolder, makeDebian, type Release, releases } from './debian';
import { cloneFolder, environmentOf, prepareDebian } from './machine';
import { type Part, parts } from './options';
import { waitForPromise } from './promise';
import { type Command, mountsBelow, Chroot } from './chroot';

const stopMs = 60_000;
/** How long the kernel may take to remove the processes that end with the command. */
const exitGraceMs = 3_000;
const runs = join(cacheFolder, 'runs');

/** Runs a command of the README on a bare Debian, checks what the README promises, and describes the result. */
export async function tryCommand(release: Release, part: Part, signal: AbortSignal): Promise<string> {
  const pristine = await makeDebian(release, releases[release], say, signal);
  const folder = join(runs, `debian-${release}-${process.pid}`);
  removeStale();
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  claim(`${folder}.json`);
  try {
    const startedAt = performance.now();
    await runCommand('cp', ['-a', '--reflink=auto', pristine, folder], { env: inherited });
    await prepareDebian(folder, releases[release].codename);
    say(fr`Debian ${release} avec Node, npm et un clone : ${folder} (${seconds(performance.now() - startedAt)})`);
    const result = await runIn(folder, part, signal);
    expectUnmounted(folder);
    return result;
  } finally {
    removeRun(folder);
  }
}

async function runIn(folder: string, part: Part, signal: AbortSignal): Promise<string> {
  const chroot = await Chroot.open(folder);
  try {
    const words = ['npm', ...parts[part]];
    say(fr`Tape ${words.join(' ')}…`);
    const startedAt = performance.now();
    const log = (line: string) => console.log(`          │ ${line}`);
    const command = chroot.run(words, { folder: cloneFolder, env: environmentOf(inherited), log });
    const result = await waitForPromise(part, command, signal);
    const summary = fr`${words.join(' ')} : ${result} après ${seconds(performance.now() - startedAt)}`;
    say(`${summary}.`);
    const stopped = part === 'test' ? '' : await stop(command, say);
    await expectEmpty(chroot);
    return `${summary}${stopped}`;
  } finally {
    await chroot.close();
  }
}

async function stop(command: Command, log: Log): Promise<string> {
  const startedAt = performance.now();
  log(fr`Arrête comme Ctrl-C…`);
  if (!(await command.interrupt(stopMs))) throw new Refusal(fr`Toujours pas arrêtée ${stopMs / 1000} s après Ctrl-C.`);
  // npm ends with the signal that it received, once its child has ended.
  const endedWell = (command.exit === 0 || command.exit === 'SIGINT') && command.printed.includes('Tout est arrêté.');
  if (!endedWell) throw new Refusal(fr`Après Ctrl-C, elle ne finit pas comme promis (${String(command.exit)}).`);
  return fr` ; arrêtée en ${seconds(performance.now() - startedAt)}`;
}

async function expectEmpty(chroot: Chroot): Promise<void> {
  if (await waitFor(async () => chroot.processes().length === 0, { timeoutMs: exitGraceMs })) return;
  throw new Refusal(fr`Des processus sont restés : ${chroot.processes().join(' ; ')}`);
}

function expectUnmounted(folder: string): void {
  const mounts = mountsBelow(folder);
  if (mounts.length > 0) throw new Refusal(fr`Des montages sont restés : ${mounts.join(' ; ')}`);
}

function removeStale(): void {
  if (!existsSync(runs)) return;
  for (const name of readdirSync(runs).filter((file) => file.endsWith('.json'))) {
    const owner = readOwner(join(runs, name));
    if (owner && isAlive(owner)) continue;
    removeRun(join(runs, name.slice(0, -'.json'.length)));
    rmSync(join(runs, name));
  }
}

/** Never crosses into another file system, so that nothing that is still mounted there is deleted. */
function removeRun(folder: string): void {
  spawnSync('rm', ['-rf', '--one-file-system', folder]);
  unlock(`${folder}.json`);
}
