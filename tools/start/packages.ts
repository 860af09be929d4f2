import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { withLock } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { Apt, aptEnv, aptFailure, type Run } from './apt';
import { findBinary } from './binaries';
import { CommandError, runCommand } from './command';
import { isRoot, serverUser } from './server-storage';
import type { ServerKind } from './server';

const lock = '/run/vigie-packages.lock';
const policy = '/usr/sbin/policy-rc.d';
const policyText = '#!/bin/sh\n# A start of Vigie installs packages; it removes this file.\nexit 101\n';
const clusterSettings = '/etc/postgresql-common/createcluster.conf';
const logEveryMs = 5_000;

export type InstallOptions = {
  log: Log;
  signal?: AbortSignal | undefined;
  /** Receives the output of apt-get and dpkg if they fail; by default a temporary file. */
  logFile?: string | undefined;
  run?: Run;
};

/** Installs the servers that are missing on this machine, or says what to do. */
export async function provideServers(kinds: readonly ServerKind[], options: InstallOptions): Promise<void> {
  if (findMissing(kinds).length === 0) return;
  if (!isRoot() || !findBinary('apt-get', undefined)) throw cannotInstall(findMissing(kinds));
  const names = () => findMissing(kinds).map(({ packages }) => packages.apt);
  await withInstallLock(options, async () => (names().length > 0 ? installPackages(names(), options) : undefined));
  const missing = findMissing(kinds);
  if (missing.length > 0) throw cannotInstall(missing);
}

function findMissing(kinds: readonly ServerKind[]): ServerKind[] {
  const user = isRoot() ? serverUser(undefined) : undefined;
  return kinds.filter((kind) => !kind.isInstalled(user));
}

function cannotInstall(kinds: readonly ServerKind[]): Refusal {
  const titles = kinds.map(({ title }) => title).join(', ');
  const variables = kinds.map(({ variable }) => variable).join(', ');
  return new Refusal(
    fr`Il manque ${titles} à cette machine : installer ${hint(kinds)}, ou donner une adresse dans ${variables}.`,
  );
}

function hint(kinds: readonly ServerKind[]): string {
  const names = (manager: 'apt' | 'brew') => kinds.map(({ packages }) => packages[manager]).join(' ');
  return findBinary('brew', undefined) ? `${names('brew')} (brew)` : `${names('apt')} (apt-get, en root)`;
}

/** Installs packages if `isMissing` still holds once no other installation runs. */
export async function providePackages(
  names: readonly string[],
  isMissing: () => boolean,
  options: InstallOptions,
): Promise<void> {
  const work = () => withoutNewUnits(() => installPackages(names, options));
  await withInstallLock(options, async () => (isMissing() ? work() : undefined));
}

function withInstallLock({ log, signal }: InstallOptions, work: () => Promise<void>): Promise<void> {
  const onWait = () => log('Attend la fin d’une autre installation de paquets…');
  return withLock(lock, work, { onWait, signal });
}

/** Disables the systemd units that `work` adds, so that a reboot does not start them; older units are left alone. */
async function withoutNewUnits<T>(work: () => Promise<T>): Promise<T> {
  const before = units();
  const result = await work();
  await disableUnits(units().filter((unit) => !before.includes(unit)));
  return result;
}

const unitFolder = '/lib/systemd/system';
const units = () => (existsSync(unitFolder) ? readdirSync(unitFolder).filter((name) => name.endsWith('.service')) : []);

/** Tries twice, because a mirror may fail briefly, or a package's script may meet a half-installed one. */
export async function installPackages(names: readonly string[], options: InstallOptions): Promise<void> {
  const { log, signal, logFile, run } = options;
  const apt = new Apt(run);
  try {
    await tryInstall(apt, names, options).catch(async (error: unknown) => {
      // A killed apt-get is not tried again.
      if (signal?.aborted || !(error instanceof CommandError) || error.code === null) throw error;
      log(fr`apt-get a échoué (ce qu’il a dit est dans ${apt.writeLog(logFile)}) ; nouvel essai…`);
      await apt.configure();
      await tryInstall(apt, names, options);
    });
    await disableUnits(names);
  } catch (error) {
    if (signal?.aborted || !(error instanceof CommandError)) throw error;
    throw new Refusal(aptFailure(names, error.printed, apt.writeLog(logFile)));
  }
}

async function tryInstall(apt: Apt, names: readonly string[], { log, signal }: InstallOptions): Promise<void> {
  log(fr`Télécharge les paquets ${names.join(', ')}…`);
  await download(apt, names, log, signal);
  log(fr`Installe les paquets ${names.join(', ')}…`);
  // Ctrl-C does not interrupt this, because it would leave half-configured packages behind.
  const unpack = (packageNames: readonly string[]) =>
    apt.get(['install', ...packageNames], { isCritical: true, onOutput: progressLogger(log) });
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

/** Logs the current package from time to time, because a slow disk takes minutes. */
function progressLogger(log: Log): (text: string) => void {
  let loggedAt = performance.now();
  return (text) => {
    const name = /^(?:Unpacking|Setting up) (\S+)/m.exec(text)?.[1];
    if (name === undefined || performance.now() - loggedAt < logEveryMs) return;
    loggedAt = performance.now();
    log(`  ${name}…`);
  };
}

/** Forbids maintainer scripts to start services, by Debian's policy-rc.d. */
async function withoutDaemons<T>(work: () => Promise<T>): Promise<T> {
  restoreFile(policy);
  if (existsSync(policy) && readFileSync(policy, 'utf8') === policyText) rmSync(policy);
  if (existsSync(policy) && spawnSync(policy, ['redis-server', 'start']).status === 101) return work();
  return withFile(policy, policyText, work);
}

/** postgresql-common brings the settings, which the postgresql package then reads. */
async function withoutMainCluster<T>(
  unpack: (names: readonly string[]) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  restoreFile(clusterSettings);
  await unpack(['postgresql-common']);
  const settings = existsSync(clusterSettings) ? readFileSync(clusterSettings, 'utf8') : '';
  return withFile(clusterSettings, `${settings}\ncreate_main_cluster = false\n`, work);
}

/** After a reboot, systemd would start its own servers beside ours. */
async function disableUnits(names: readonly string[]): Promise<void> {
  if (!findBinary('systemctl', undefined)) return;
  for (const name of names)
    await runCommand('systemctl', ['disable', '--quiet', name], { env: aptEnv() }).catch(() => {});
}

async function withFile<T>(file: string, text: string, work: () => Promise<T>): Promise<T> {
  const existed = existsSync(file);
  if (existed) renameSync(file, backupPath(file));
  writeFileSync(file, text, { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
    if (existed) renameSync(backupPath(file), file);
  }
}

/** Restores the file that a killed start had replaced. */
function restoreFile(file: string): void {
  if (existsSync(backupPath(file))) renameSync(backupPath(file), file);
}

const backupPath = (file: string) => `${file}.before-vigie`;
