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

  it.each(['README.md', 'docs/architecture.md'])('has every file that %s names', (page) => {
    const files = ['apps', 'libs', 'tools', 'k8s', 'docker'].flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `/${folder}/${path}`),
    );
    const named = [...readFileSync(`${root}${page}`, 'utf8').matchAll(/`([\w/.-]+\.(?:tsx?|sh|php))`/g)];
    const missing = named.map(([, path]) => path).filter((path) => !files.some((file) => file.endsWith(`/${path}`)));
    expect(missing).toEqual([]);
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
