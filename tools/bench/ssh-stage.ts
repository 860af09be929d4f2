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
import { startProgram } from './programs';
import type { Host } from './ssh-tasks';
import type { Workbench } from './workbench';

const programs = ['ssh', 'scp', 'sshd', 'bash', 'xargs', 'openssl'];
/** There is always this much left of the folder in memory. */
const spareBytes = 512 * 1_048_576;
const memory = '/dev/shm';

export type Stage = {
  sshd: SshHost;
  host: Host;
  /** Of transfers, on both sides. */
  files: string;
  /** The arguments of `ssh` but the host and the command. */
  options: (port: number) => string[];
};

/** The address that follows the options. */
export const login = 'sh@127.0.0.1';

/** A private sshd with its defaults, and what the clients need to log in to it. */
export async function setSshStage(bench: Workbench, bytes: number): Promise<Stage> {
  await ensureSshPrograms(bench);
  // It only says more; all that limits it is as it comes.
  const sshd = await SshHost.start({ settings: ['LogLevel VERBOSE'] });
  bench.atEnd(() => sshd.stop());
  const options = opensshOptions(bench, sshd);
  const auth = { privateKey: sshd.privateKey };
  const host: Host = { host: '127.0.0.1', port: sshd.port, user: 'sh', auth, hostKey: sshd.hostKey };
  return { sshd, host, files: folderInMemory(bench, bytes), options };
}

/** The arguments of `ssh` but the host and the command. */
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

/** Where there is room: a disk would be what is measured. */
export function folderInMemory(bench: Workbench, bytes: number): string {
  const roomOf = ({ bavail, bsize }: { bavail: number; bsize: number }) => bavail * bsize;
  const hasRoom = existsSync(memory) && roomOf(statfsSync(memory)) > bytes + spareBytes;
  const folder = folderElsewhere(join(hasRoom ? memory : bench.folder, 'vigie-bench-'));
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A connection of OpenSSH that later `ssh` processes share: the options by which they do. */
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

/** A port behind which the server is far away. */
export async function openRelay(bench: Workbench, { sshd }: Stage, roundTripMs: number): Promise<number> {
  const line = JSON.stringify({ port: sshd.port, delayMs: roundTripMs / 2 });
  const { message } = await startProgram(bench, 'ssh-relay', { VIGIE_BENCH_RELAY: line });
  return Number(message);
}
