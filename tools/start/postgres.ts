import { existsSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, fr } from '../terminal';
import { type PostgresBinaries, dataMajor, findPostgres } from './binaries';
import type { Program } from './child';
import { runCommand } from './command';
import { type Place, ownFolder, writeOwnFile } from './place';
import { type Kind, serverEnv } from './server';

const superuser = 'postgres';
const database = 'vigie';

/** Ends when every connection is cut and everything committed is on the disk. */
const fastShutdown = 'SIGINT';

/** Tests give up durability: what they store does not outlive them. */
const carefree = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export const postgresql: Kind = {
  title: 'PostgreSQL',
  variable: 'DATABASE_URL',
  packages: { apt: 'postgresql', brew: 'postgresql' },
  isHere: (user) => findPostgres(user) !== undefined,
  prepare: async (place, durable) => {
    const data = join(place.data, 'postgresql');
    const binaries = choose(place, data);
    if (existsSync(data)) ownFolder(place, 'postgresql');
    else await initialise(place, binaries, data, durable);
    forgetStrangersPid(data);
    return (port) => {
      const url = `postgres://${superuser}:${place.passwords.postgresql}@127.0.0.1:${port}/${database}`;
      return { program: programOf(place, binaries, data, port, durable), url, isReady: () => isReady(binaries, port) };
    };
  },
};

function programOf(place: Place, binaries: PostgresBinaries, data: string, port: number, durable: boolean): Program {
  const defaults = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=64MB',
  ];
  const settings = durable ? defaults : [...defaults, ...carefree];
  return {
    name: 'postgresql',
    title: `PostgreSQL ${binaries.major}`,
    file: join(binaries.folder, 'postgres'),
    args: ['-D', data, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    cwd: data,
    env: serverEnv,
    user: place.user,
    stopSignal: fastShutdown,
  };
}

function choose(place: Place, data: string): PostgresBinaries {
  const major = dataMajor(data);
  const found = findPostgres(place.user, major);
  if (found) return found;
  throw new Refusal(
    fr`Les données de ${data} sont de PostgreSQL ${major ?? '?'}, qui n’est pas sur cette machine : installez-le (postgresql-${major ?? ''}), ou donnez son adresse dans DATABASE_URL.`,
  );
}

/** Made aside and renamed last: an interrupted first start leaves nothing that looks like data. */
async function initialise(place: Place, { folder }: PostgresBinaries, data: string, durable: boolean): Promise<void> {
  rmSync(`${data}.new`, { recursive: true, force: true });
  const made = ownFolder(place, 'postgresql.new');
  const passwordFile = writeOwnFile(place, 'postgresql.password', place.passwords.postgresql);
  const options = { cwd: place.data, env: serverEnv, user: place.user };
  try {
    const args = ['-D', made, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
    // Sorts by code point, yet knows the case of é.
    const locale = ['--lc-collate=C', `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`];
    const messages = ['--lc-messages=C', '--lc-monetary=C', '--lc-numeric=C', '--lc-time=C'];
    await runCommand(
      join(folder, 'initdb'),
      [...args, ...locale, ...messages, ...(durable ? [] : ['--no-sync'])],
      options,
    );
    const input = `CREATE DATABASE ${database};\n`;
    await runCommand(join(folder, 'postgres'), ['--single', '-D', made, 'postgres'], { ...options, input });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(made, data);
}

async function isReady({ folder }: PostgresBinaries, port: number): Promise<boolean> {
  return runCommand(join(folder, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`], { env: serverEnv }).then(
    () => true,
    () => false,
  );
}

/**
 * After a power cut the pid in postmaster.pid may be another process's, and PostgreSQL would refuse to start for ever. A
 * postmaster works in its data folder; what works elsewhere is not it.
 */
function forgetStrangersPid(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== data) rmSync(file);
  } catch {
    // Nobody has that pid: PostgreSQL sees that by itself.
  }
}
