import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SshHost } from '@vigie/testing/sshd';
import { folderElsewhere } from '@vigie/testing/temporary';
import { until } from '@vigie/testing/until';
import { findBinary } from '../start/binaries';
import { launch, stopRunning } from '../start/child';
import { searchPath } from '../start/env';
import { Refusal, fr } from '../terminal';
import { Children } from '../test/children';
import { ensureSshHosts } from '../test/ssh-hosts';
import { type Started, startProgram } from './programs';
import type { Host } from './ssh-client';
import type { Workbench } from './workbench';

const programs = ['ssh', 'scp', 'sshd', 'bash', 'xargs', 'openssl'];
/** Free bytes to leave in /dev/shm. */
const spareBytes = 512 * 1_048_576;
const memory = '/dev/shm';

export type Stage = {
  sshd: SshHost;
  host: Host;
  /** Folder of the transferred files. */
  files: string;
  options: (port: number) => string[];
};

export const login = 'sh@127.0.0.1';

/** Starts a private sshd with default settings, and prepares the login of the clients. */
export async function setSshStage(bench: Workbench, bytes: number): Promise<Stage> {
  await ensureSshPrograms(bench);
  // Only the log level differs from the defaults.
  const sshd = await SshHost.start({ settings: ['LogLevel VERBOSE'] });
  bench.atEnd(() => sshd.stop());
  const options = opensshOptions(bench, sshd);
  const auth = { privateKey: sshd.privateKey };
  const host: Host = { host: '127.0.0.1', port: sshd.port, user: 'sh', auth, hostKey: sshd.hostKey };
  return { sshd, host, files: folderInMemory(bench, bytes), options };
}

/** Returns the arguments of `ssh` without host and command. */
export function opensshOptions(bench: Workbench, { privateKey }: Pick<SshHost, 'privateKey'>): Stage['options'] {
  const folder = join(bench.folder, 'ssh');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = join(folder, 'key');
  writeFileSync(key, privateKey, { mode: 0o600 });
  const settings = {
    BatchMode: 'yes',
    IdentitiesOnly: 'yes',
    IdentityFile: key,
    LogLevel: 'ERROR',
    UserKnownHostsFile: join(folder, 'known'),
    HostKeyAlias: 'bench',
    StrictHostKeyChecking: 'accept-new',
    KexAlgorithms: 'curve25519-sha256',
    Ciphers: 'aes128-gcm@openssh.com',
  };
  const fixed = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return (port: number) => ['-F', 'none', '-o', `Port=${port}`, ...fixed];
}

export async function ensureSshPrograms(bench: Workbench): Promise<void> {
  bench.step(fr`prépare les programmes de SSH`);
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  await ensureSshHosts(children);
  const missing = programs.filter((name) => !findBinary(name, undefined));
  if (missing.length === 0) return;
  throw new Refusal(
    fr`Pas de mesure de SSH : il manque ${missing.join(', ')} (paquets openssh-client, openssh-server et openssl).`,
  );
}

/** Uses /dev/shm if it has enough space, because a disk would dominate the result. */
export function folderInMemory(bench: Workbench, bytes: number): string {
  const freeBytes = ({ bavail, bsize }: { bavail: number; bsize: number }) => bavail * bsize;
  const hasSpace = existsSync(memory) && freeBytes(statfsSync(memory)) > bytes + spareBytes;
  const folder = folderElsewhere(join(hasSpace ? memory : bench.folder, 'vigie-bench-'));
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a shared OpenSSH connection and returns the options to use it. */
export async function openMaster(bench: Workbench, { options, sshd }: Stage): Promise<string[]> {
  const socket = join(bench.folder, 'ssh/master');
  const args = ['-M', '-N', '-S', socket, ...options(sshd.port), login];
  const env = { PATH: searchPath() };
  const home = join(bench.folder, 'programs');
  const running = launch(home, { name: 'ssh-master', title: 'ssh -M', file: 'ssh', args, cwd: bench.folder, env });
  bench.atEnd(() => stopRunning(running, 2_000));
  const death = running.exited.then(() => Promise.reject(new Error('the shared connection of ssh was not opened')));
  await Promise.race([until(() => existsSync(socket)), death]);
  death.catch(() => undefined);
  return ['-S', socket];
}

/** Opens a port with simulated network delay. */
export async function openRelay(bench: Workbench, { sshd }: Stage, roundTripMs: number): Promise<number> {
  const line = JSON.stringify({ port: sshd.port, delayMs: roundTripMs / 2 });
  const { message } = await startProgram(bench, 'ssh-relay', { VIGIE_BENCH_RELAY: line });
  return Number(message);
}

/** Runs one of our libraries in a separate process, so that its processor time and memory can be measured. */
export const startLibrary = (bench: Workbench, name: 'ssh-client' | 'sites-client', host: Host): Promise<Started> =>
  startProgram(bench, name, { VIGIE_BENCH_SSH: JSON.stringify(host) });
