import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Log, Refusal, fr, reasonOf } from '../terminal';
import type { User } from './child';

const StorageFile = z.object({
  data: z.string(),
  passwords: z.object({ postgresql: z.string(), redis: z.string(), nats: z.string() }),
});

/** The data folder, the user and the passwords of the private servers. */
export type ServerStorage = z.infer<typeof StorageFile> & { user: User | undefined };

const nobody = 65_534;

/** Creates the state folder. Under root the user of the servers may enter it; secret files have their own modes. */
export function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Refusal(fr`Le dossier d’état ${home} ne peut pas servir : ${reasonOf(error)}`);
  }
}

export function openStorage(home: string, log: Log): ServerStorage {
  const saved = readStorageFile(home);
  const user = isRoot() ? serverUser(saved?.data) : undefined;
  const data = saved?.data ?? chooseData(home, user);
  const passwords = saved?.passwords ?? {
    postgresql: generatePassword(),
    redis: generatePassword(),
    nats: generatePassword(),
  };
  if (!saved) writeFileSync(storageFile(home), `${JSON.stringify({ data, passwords }, null, 2)}\n`, { mode: 0o600 });
  mkdirSync(data, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (user && !isOpenTo(user, data)) {
    throw new Refusal(
      fr`Le dossier ${data} est fermé à l’utilisateur ${user.uid}, qui fait tourner les serveurs : ouvrez-lui ses dossiers parents (chmod o+x).`,
    );
  }
  if (data !== homeDataFolder(home))
    log(fr`Les données des serveurs sont dans ${data} : ${home} est fermé à leur utilisateur.`);
  return { data, user, passwords };
}

/** Asks the system itself, so that access lists and mounts count too. */
export function isOpenTo(user: User, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$0"', folder], { cwd: '/', ...user }).status === 0;
}

export const isRoot = () => process.getuid?.() === 0;

/** The owner of existing data, or the distribution's postgres user, or nobody. */
export function serverUser(data: string | undefined): User {
  const owner = data === undefined ? undefined : statSync(join(data, 'postgresql'), { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m);
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: nobody, gid: nobody };
}

const chooseData = (home: string, user: User | undefined) =>
  !user || isOpenTo(user, home) ? homeDataFolder(home) : externalDataFolder(home);

/** The data folder for a state folder that other users cannot enter. */
export function externalDataFolder(home: string): string {
  const name = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16);
  return join('/var/lib/vigie', name);
}

function readStorageFile(home: string): z.infer<typeof StorageFile> | undefined {
  return existsSync(storageFile(home))
    ? StorageFile.parse(JSON.parse(readFileSync(storageFile(home), 'utf8')))
    : undefined;
}

/**
 * The folder of a server. Its parent belongs to root, so that a compromised server cannot redirect what the next start
 * writes.
 */
export function ownFolder({ data, user }: ServerStorage, server: string): string {
  const folder = join(data, server);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user && statSync(folder).uid !== user.uid) chownTree(folder, user);
  return folder;
}

export function writeOwnFile({ data, user }: ServerStorage, name: string, text: string): string {
  const file = join(data, name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  if (user) lchownSync(file, user.uid, user.gid);
  return file;
}

/** Restores the owner of data that root has copied, for example from a backup. */
function chownTree(folder: string, { uid, gid }: User): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, path), uid, gid);
  lchownSync(folder, uid, gid);
}

const storageFile = (home: string) => join(home, 'servers.json');
const homeDataFolder = (home: string) => join(home, 'data');
const generatePassword = () => randomBytes(24).toString('hex');
