import { existsSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, fr } from '../terminal';
import { type PostgresBinaries, dataMajor, findPostgres } from './binaries';
import type { Program } from './child';
import { runCommand } from './command';
import { type ServerStorage, ownFolder, writeOwnFile } from './server-storage';
import { type ServerKind, serverEnv } from './server';

const superuser = 'postgres';
const database = 'vigie';

/** Makes PostgreSQL close all connections and write everything to disk before it ends. */
const fastShutdown = 'SIGINT';

/** Tests need no durability, because their data does not outlive them. */
const nonDurable = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export const postgresql: ServerKind = {
  title: 'PostgreSQL',
  variable: 'DATABASE_URL',
  packages: { apt: 'postgresql', brew: 'postgresql' },
  isInstalled: (user) => findPostgres(user) !== undefined,
  prepare: async (storage, durable) => {
    const data = join(storage.data, 'postgresql');
    const binaries = chooseBinaries(storage, data);
    if (existsSync(data)) ownFolder(storage, 'postgresql');
    else await initialise(storage, binaries, data, durable);
    removeStalePidFile(data);
    return (port) => {
      const url = `postgres://${superuser}:${storage.passwords.postgresql}@127.0.0.1:${port}/${database}`;
      return {
        program: createProgram(storage, binaries, data, port, durable),
        url,
        isReady: () => isReady(binaries, port),
      };
    };
  },
};

function createProgram(
  storage: ServerStorage,
  binaries: PostgresBinaries,
  data: string,
  port: number,
  durable: boolean,
): Program {
  const defaults = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=64MB',
  ];
  const settings = durable ? defaults : [...defaults, ...nonDurable];
  return {
    name: 'postgresql',
    title: `PostgreSQL ${binaries.major}`,
    file: join(binaries.folder, 'postgres'),
    args: ['-D', data, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    cwd: data,
    env: serverEnv,
    user: storage.user,
    stopSignal: fastShutdown,
  };
}

function chooseBinaries(storage: ServerStorage, data: string): PostgresBinaries {
  const major = dataMajor(data);
  const binaries = findPostgres(storage.user, major);
  if (binaries) return binaries;
  throw new Refusal(
    fr`Les données de ${data} sont de PostgreSQL ${major ?? '?'}, qui n’est pas sur cette machine : installez-le (postgresql-${major ?? ''}), ou donnez son adresse dans DATABASE_URL.`,
  );
}

/** Creates the cluster in another folder and renames it last, so that an interrupted start leaves no broken data. */
async function initialise(
  storage: ServerStorage,
  { folder }: PostgresBinaries,
  data: string,
  durable: boolean,
): Promise<void> {
  rmSync(`${data}.new`, { recursive: true, force: true });
  const newFolder = ownFolder(storage, 'postgresql.new');
  const passwordFile = writeOwnFile(storage, 'postgresql.password', storage.passwords.postgresql);
  const options = { cwd: storage.data, env: serverEnv, user: storage.user };
  try {
    const args = ['-D', newFolder, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
    // Sorts by code point, but converts the case of é.
    const locale = ['--lc-collate=C', `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`];
    const messages = ['--lc-messages=C', '--lc-monetary=C', '--lc-numeric=C', '--lc-time=C'];
    await runCommand(
      join(folder, 'initdb'),
      [...args, ...locale, ...messages, ...(durable ? [] : ['--no-sync'])],
      options,
    );
    const input = `CREATE DATABASE ${database};\n`;
    await runCommand(join(folder, 'postgres'), ['--single', '-D', newFolder, 'postgres'], { ...options, input });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(newFolder, data);
}

async function isReady({ folder }: PostgresBinaries, port: number): Promise<boolean> {
  return runCommand(join(folder, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`], { env: serverEnv }).then(
    () => true,
    () => false,
  );
}

/**
 * After a power cut, the pid in postmaster.pid may belong to another process, and PostgreSQL would never start again. A
 * postmaster works in its data folder, so a process that works elsewhere is not one.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== data) rmSync(file);
  } catch {
    // No process has this pid, which PostgreSQL notices itself.
  }
}
