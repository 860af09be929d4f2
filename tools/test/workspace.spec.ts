import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));

type LockedPackage = { version?: string; optionalDependencies?: Record<string, string> };

describe('the workspace', () => {
  it('names each app by its folder for nx, which caches dist/<name>', () => {
    const folders = readdirSync(`${root}apps`).filter((folder) => existsSync(`${root}apps/${folder}/package.json`));
    expect(folders.map((folder) => readJson(`apps/${folder}/package.json`).nx?.name)).toEqual(folders);
  });

  // npm leaves out binaries that it cannot download when it writes the lock file, and then `npm ci` refuses the file.
  it('locks the binaries of every platform', () => {
    const packages: Record<string, LockedPackage> = readJson('package-lock.json').packages;
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});
