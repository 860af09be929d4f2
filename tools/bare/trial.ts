import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claim, isAlive, readOwner, release as unlock } from '../lock.mjs';
import { runCommand } from '../start/command';
import { inherited } from '../start/env';
import { waitFor } from '../start/wait';
import { type Log, Refusal, fr, say, seconds } from '../terminal';
import { cacheFolder, makeDebian, type Release, releases } from './debian';
import { cloneFolder, environmentOf, furnish } from './machine';
import { type Part, parts } from './options';
import { waitForPromise } from './promise';
import { type Command, mountsBelow, Room } from './room';

const stopMs = 60_000;
/** Of what ends with the command, until the kernel has forgotten it. */
const restMs = 3_000;
const runs = join(cacheFolder, 'runs');

/** Types a command of the README on a bare Debian, sees that it holds what it promises, and gives what was seen. */
export async function tryOut(release: Release, part: Part, signal: AbortSignal): Promise<string> {
  const pristine = await makeDebian(release, releases[release], say, signal);
  const folder = join(runs, `debian-${release}-${process.pid}`);
  removeStale();
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  claim(`${folder}.json`);
  try {
    const since = performance.now();
    await runCommand('cp', ['-a', '--reflink=auto', pristine, folder], { env: inherited });
    await furnish(folder, releases[release].codename);
    say(fr`Debian ${release} avec Node, npm et un clone : ${folder} (${seconds(performance.now() - since)})`);
    const seen = await runIn(folder, part, signal);
    expectUnmounted(folder);
    return seen;
  } finally {
    remove(folder);
  }
}

async function runIn(folder: string, part: Part, signal: AbortSignal): Promise<string> {
  const room = await Room.open(folder);
  try {
    const words = ['npm', ...parts[part]];
    say(fr`Tape ${words.join(' ')}…`);
    const since = performance.now();
    const log = (line: string) => console.log(`          │ ${line}`);
    const command = room.type(words, { folder: cloneFolder, env: environmentOf(inherited), log });
    const seen = await waitForPromise(part, command, signal);
    const kept = fr`${words.join(' ')} : ${seen} après ${seconds(performance.now() - since)}`;
    say(`${kept}.`);
    const stopped = part === 'test' ? '' : await stop(command, say);
    await expectEmpty(room);
    return `${kept}${stopped}`;
  } finally {
    await room.close();
  }
}

async function stop(command: Command, log: Log): Promise<string> {
  const since = performance.now();
  log(fr`Arrête comme Ctrl-C…`);
  if (!(await command.interrupt(stopMs))) throw new Refusal(fr`Toujours pas arrêtée ${stopMs / 1000} s après Ctrl-C.`);
  // npm ends by the signal that it was given, once its child has ended.
  const isGood = (command.end === 0 || command.end === 'SIGINT') && command.printed.includes('Tout est arrêté.');
  if (!isGood) throw new Refusal(fr`Après Ctrl-C, elle ne finit pas comme promis (${String(command.end)}).`);
  return fr` ; arrêtée en ${seconds(performance.now() - since)}`;
}

async function expectEmpty(room: Room): Promise<void> {
  if (await waitFor(async () => room.processes().length === 0, { timeoutMs: restMs })) return;
  throw new Refusal(fr`Des processus sont restés : ${room.processes().join(' ; ')}`);
}

function expectUnmounted(folder: string): void {
  const mounts = mountsBelow(folder);
  if (mounts.length > 0) throw new Refusal(fr`Des montages sont restés : ${mounts.join(' ; ')}`);
}

/** What a run that was killed has left. */
function removeStale(): void {
  if (!existsSync(runs)) return;
  for (const name of readdirSync(runs).filter((file) => file.endsWith('.json'))) {
    const owner = readOwner(join(runs, name));
    if (owner && isAlive(owner)) continue;
    remove(join(runs, name.slice(0, -'.json'.length)));
    rmSync(join(runs, name));
  }
}

/** Never beyond the file system: nothing that was mounted in it is lost with it. */
function remove(folder: string): void {
  spawnSync('rm', ['-rf', '--one-file-system', folder]);
  unlock(`${folder}.json`);
}
