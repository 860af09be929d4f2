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

const Noted = z.object({
  data: z.string(),
  passwords: z.object({ postgresql: z.string(), redis: z.string(), nats: z.string() }),
});

/** Where the private servers keep their data, as whom they run, and the passwords they ask for. */
export type Place = z.infer<typeof Noted> & { user: User | undefined };

const nobody = 65_534;

/** Open to pass through for the servers' own user where they run as one; what is secret inside is closed by itself. */
export function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Refusal(fr`Le dossier d’état ${home} ne peut pas servir : ${reasonOf(error)}`);
  }
}

export function openPlace(home: string, log: Log): Place {
  const noted = readNoted(home);
  const user = isRoot() ? serverUser(noted?.data) : undefined;
  const data = noted?.data ?? chooseData(home, user);
  const passwords = noted?.passwords ?? { postgresql: secret(), redis: secret(), nats: secret() };
  if (!noted) writeFileSync(notes(home), `${JSON.stringify({ data, passwords }, null, 2)}\n`, { mode: 0o600 });
  mkdirSync(data, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (user && !isOpenTo(user, data)) {
    throw new Refusal(
      fr`Le dossier ${data} est fermé à l’utilisateur ${user.uid}, qui fait tourner les serveurs : ouvrez-lui ses dossiers parents (chmod o+x).`,
    );
  }
  if (data !== inside(home))
    log(fr`Les données des serveurs sont dans ${data} : ${home} est fermé à leur utilisateur.`);
  return { data, user, passwords };
}

/** Asked of the system itself, so that access lists and mounts count too. */
export function isOpenTo(user: User, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$0"', folder], { cwd: '/', ...user }).status === 0;
}

export const isRoot = () => process.getuid?.() === 0;

/** The one that owns the data already, else the distribution's, else nobody. */
export function serverUser(data: string | undefined): User {
  const owner = data === undefined ? undefined : statSync(join(data, 'postgresql'), { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m);
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: nobody, gid: nobody };
}

const chooseData = (home: string, user: User | undefined) =>
  !user || isOpenTo(user, home) ? inside(home) : outside(home);

/** Of a state folder that other users cannot pass through. */
export function outside(home: string): string {
  const name = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16);
  return join('/var/lib/vigie', name);
}

function readNoted(home: string): z.infer<typeof Noted> | undefined {
  return existsSync(notes(home)) ? Noted.parse(JSON.parse(readFileSync(notes(home), 'utf8'))) : undefined;
}

/**
 * A server's own folder and its configuration beside it. The folder above stays root's: a server that was taken over
 * cannot have the next start write elsewhere.
 */
export function ownFolder({ data, user }: Place, server: string): string {
  const folder = join(data, server);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user && statSync(folder).uid !== user.uid) giveTree(folder, user);
  return folder;
}

export function writeOwnFile({ data, user }: Place, name: string, text: string): string {
  const file = join(data, name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  if (user) lchownSync(file, user.uid, user.gid);
  return file;
}

/** Data that root copied (a backup put back) are the server's again. */
function giveTree(folder: string, { uid, gid }: User): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, path), uid, gid);
  lchownSync(folder, uid, gid);
}

const notes = (home: string) => join(home, 'servers.json');
const inside = (home: string) => join(home, 'data');
const secret = () => randomBytes(24).toString('hex');
