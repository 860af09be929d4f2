import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { User } from './child';
import { searchPath } from './env';
import { isOpenTo } from './server-storage';

export type PostgresBinaries = { folder: string; major: number };

const systemFolders = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

export function findBinary(name: string, user: User | undefined): string | undefined {
  const folders = [...searchPath().split(delimiter), ...systemFolders].filter((folder) => folder !== '');
  const files = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
  return files.find((file) => !user || isOpenTo(user, dirname(realpathSync(file))));
}

/** Finds the newest PostgreSQL, or the one of version `major`. */
export function findPostgres(user: User | undefined, major?: number): PostgresBinaries | undefined {
  const packaged = debianPostgres();
  const all = packaged.length > 0 && major === undefined ? packaged : [...packaged, ...pathPostgres(user)];
  return all.find((candidate) => major === undefined || candidate.major === major);
}

export function dataMajor(folder: string): number | undefined {
  const file = join(folder, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

function debianPostgres(): PostgresBinaries[] {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .map((version) => ({ folder: join(base, version, 'bin'), major: Number.parseInt(version, 10) }))
    .filter(({ folder }) => existsSync(join(folder, 'initdb')))
    .sort((first, second) => second.major - first.major);
}

function pathPostgres(user: User | undefined): PostgresBinaries[] {
  const file = findBinary('postgres', user);
  if (!file) return [];
  const version = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.match(/\(PostgreSQL\) (\d+)/)?.[1];
  return version ? [{ folder: dirname(realpathSync(file)), major: Number(version) }] : [];
}
