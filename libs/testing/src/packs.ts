import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from './operations';
import { until } from './until';

/** Where archives of a site lie. */
export const backupsOf = (content: string) => join(content, 'ai1wm-backups');

/** Names of archives, whole or not, in a folder of them. */
export const archivesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /\.(wpress|part)$/.test(name)) : [];

/** Stops the PHP of an operation, as soon as what it writes is that long; gives its process. */
export async function freeze(operation: string, part: string, bytes: number): Promise<number> {
  const find = () => processesOf(operation).find(({ name }) => name.startsWith('php'))?.pid;
  let pid: number | undefined;
  // To look for it takes long enough for it to write a lot: it is known before it begins to.
  await until(() => {
    pid = find();
    return existsSync(part);
  });
  pid ??= find();
  if (pid === undefined) throw new Error('no PHP of this operation');
  // Without a pause: what it writes grows by megabytes in one.
  while (existsSync(part) && statSync(part).size < bytes);
  process.kill(pid, 'SIGSTOP');
  if (!existsSync(part)) throw new Error('it was over before it could be stopped');
  return pid;
}

type Found = { path: string; size: number; mtime: number; real: string };

/** Each file below a folder as an archive would name it: links are what they lead to. */
export function filesBelow(
  folder: string,
  isLeftOut: (path: string) => boolean,
  above: readonly string[] = [],
): Found[] {
  const walk = (real: string, path: string, parents: readonly string[]): Found[] =>
    readdirSync(real).flatMap((name) => {
      const [inner, named] = [join(real, name), path === '' ? name : `${path}/${name}`];
      if (isLeftOut(named) || !existsSync(inner)) return [];
      const seen = statSync(inner);
      if (seen.isFile()) return [{ path: named, size: seen.size, mtime: Math.floor(seen.mtimeMs / 1000), real: inner }];
      const place = realpathSync(inner);
      return seen.isDirectory() && !parents.includes(place) ? walk(inner, named, [...parents, place]) : [];
    });
  return walk(folder, '', [...above, realpathSync(folder)]);
}
