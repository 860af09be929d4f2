import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { alone } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { Apt, aptEnv, aptFailure, type Run } from './apt';
import { findBinary } from './binaries';
import { CommandError, runCommand } from './command';
import { isRoot, serverUser } from './place';
import type { Kind } from './server';

const lock = '/run/vigie-packages.lock';
const policy = '/usr/sbin/policy-rc.d';
const policyText = '#!/bin/sh\n# A start of Vigie installs packages; it removes this file.\nexit 101\n';
const clusterSettings = '/etc/postgresql-common/createcluster.conf';
const tellEveryMs = 5_000;

export type Installing = {
  log: Log;
  signal?: AbortSignal | undefined;
  /** Keeps what apt-get and dpkg said where they fail; a temporary file without one. */
  logFile?: string | undefined;
  /** How commands are run. */
  run?: Run;
};

/** Makes sure that every server which must run here is on the machine, or says what to do. */
export async function provide(kinds: readonly Kind[], installing: Installing): Promise<void> {
  if (missingOf(kinds).length === 0) return;
  if (!isRoot() || !findBinary('apt-get', undefined)) throw cannotInstall(missingOf(kinds));
  const names = () => missingOf(kinds).map(({ packages }) => packages.apt);
  await inTurn(installing, async () => (names().length > 0 ? installPackages(names(), installing) : undefined));
  const missing = missingOf(kinds);
  if (missing.length > 0) throw cannotInstall(missing);
}

function missingOf(kinds: readonly Kind[]): Kind[] {
  const user = isRoot() ? serverUser(undefined) : undefined;
  return kinds.filter((kind) => !kind.isHere(user));
}

function cannotInstall(kinds: readonly Kind[]): Refusal {
  const titles = kinds.map(({ title }) => title).join(', ');
  const variables = kinds.map(({ variable }) => variable).join(', ');
  return new Refusal(
    fr`Il manque ${titles} à cette machine : installer ${hint(kinds)}, ou donner une adresse dans ${variables}.`,
  );
}

function hint(kinds: readonly Kind[]): string {
  const names = (manager: 'apt' | 'brew') => kinds.map(({ packages }) => packages[manager]).join(' ');
  return findBinary('brew', undefined) ? `${names('brew')} (brew)` : `${names('apt')} (apt-get, en root)`;
}

/** For another need than the servers': while `isMissing`, and never twice at once. */
export async function provideOthers(
  names: readonly string[],
  isMissing: () => boolean,
  installing: Installing,
): Promise<void> {
  const work = () => withoutNewUnits(() => installPackages(names, installing));
  await inTurn(installing, async () => (isMissing() ? work() : undefined));
}

function inTurn({ log, signal }: Installing, work: () => Promise<void>): Promise<void> {
  const onWait = () => log('Attend la fin d’une autre installation de paquets…');
  return alone(lock, work, { onWait, signal });
}

/** After a reboot the system shall not start what came with packages; what it started before, it still shall. */
async function withoutNewUnits<T>(work: () => Promise<T>): Promise<T> {
  const before = units();
  const done = await work();
  await disableUnits(units().filter((unit) => !before.includes(unit)));
  return done;
}

const unitFolder = '/lib/systemd/system';
const units = () => (existsSync(unitFolder) ? readdirSync(unitFolder).filter((name) => name.endsWith('.service')) : []);

/** Once more where it failed: a mirror that hiccups, or a package whose script met another one half done. */
export async function installPackages(names: readonly string[], installing: Installing): Promise<void> {
  const { log, signal, logFile, run } = installing;
  const apt = new Apt(run);
  try {
    await tryInstall(apt, names, installing).catch(async (error: unknown) => {
      // Whoever killed it wants no second one.
      if (signal?.aborted || !(error instanceof CommandError) || error.code === null) throw error;
      log(fr`apt-get a échoué (ce qu’il a dit est dans ${apt.write(logFile)}) ; nouvel essai…`);
      await apt.configure();
      await tryInstall(apt, names, installing);
    });
    await disableUnits(names);
  } catch (error) {
    if (signal?.aborted || !(error instanceof CommandError)) throw error;
    throw new Refusal(aptFailure(names, error.printed, apt.write(logFile)));
  }
}

async function tryInstall(apt: Apt, names: readonly string[], { log, signal }: Installing): Promise<void> {
  log(fr`Télécharge les paquets ${names.join(', ')}…`);
  await download(apt, names, log, signal);
  log(fr`Installe les paquets ${names.join(', ')}…`);
  // Not cut short by Ctrl-C: half-configured packages would be left to the operator.
  const unpack = (some: readonly string[]) =>
    apt.get(['install', ...some], { isCritical: true, onOutput: tellProgress(log) });
  await withoutDaemons(() =>
    names.includes('postgresql') ? withoutMainCluster(unpack, () => unpack(names)) : unpack(names),
  );
}

async function download(apt: Apt, names: readonly string[], log: Log, signal: AbortSignal | undefined): Promise<void> {
  const get = () => apt.get(['install', '--download-only', ...names]);
  await get().catch(async () => {
    signal?.throwIfAborted();
    log(fr`Met à jour la liste des paquets…`);
    await apt.get(['update']);
    await get();
  });
}

/** Which package apt is at, now and then: a slow disk makes minutes of it. */
function tellProgress(log: Log): (text: string) => void {
  let told = performance.now();
  return (text) => {
    const name = /^(?:Unpacking|Setting up) (\S+)/m.exec(text)?.[1];
    if (name === undefined || performance.now() - told < tellEveryMs) return;
    told = performance.now();
    log(`  ${name}…`);
  };
}

/** Forbids maintainer scripts to start what they install, as Debian's policy-rc.d is meant to. */
async function withoutDaemons<T>(work: () => Promise<T>): Promise<T> {
  putBack(policy);
  if (existsSync(policy) && readFileSync(policy, 'utf8') === policyText) rmSync(policy);
  if (existsSync(policy) && spawnSync(policy, ['redis-server', 'start']).status === 101) return work();
  return withFile(policy, policyText, work);
}

/** The settings come with a package of their own, and are read by the next. */
async function withoutMainCluster<T>(
  unpack: (names: readonly string[]) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  putBack(clusterSettings);
  await unpack(['postgresql-common']);
  const settings = existsSync(clusterSettings) ? readFileSync(clusterSettings, 'utf8') : '';
  return withFile(clusterSettings, `${settings}\ncreate_main_cluster = false\n`, work);
}

/** After a reboot the system would start its own beside ours. */
async function disableUnits(names: readonly string[]): Promise<void> {
  if (!findBinary('systemctl', undefined)) return;
  for (const name of names)
    await runCommand('systemctl', ['disable', '--quiet', name], { env: aptEnv() }).catch(() => {});
}

/** Replaces a system file during `work`. */
async function withFile<T>(file: string, text: string, work: () => Promise<T>): Promise<T> {
  const existed = existsSync(file);
  if (existed) renameSync(file, aside(file));
  writeFileSync(file, text, { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
    if (existed) renameSync(aside(file), file);
  }
}

/** What a start that was killed in between had put aside. */
function putBack(file: string): void {
  if (existsSync(aside(file))) renameSync(aside(file), file);
}

const aside = (file: string) => `${file}.before-vigie`;
