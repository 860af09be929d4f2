import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { type Import, importsOf, isConfig, isTest, type Source } from './source';

/** The libs that each package may import, by package name: `lib`, `lib/file`, `lib (types)`. */
export type ImportTable = Readonly<Record<string, readonly string[]>>;
export type Limits = {
  readonly table: ImportTable;
  readonly libs: readonly string[];
  /** Packages that run in a browser, without Node. */
  readonly browser: readonly string[];
  /** Packages with a fixed list of third parties. */
  readonly onlyThirdParties: Readonly<Record<string, readonly string[]>>;
};

type PackageLocation = { kind: string; name: string; folder: string };

export function crossedBoundaries(root: string, sources: readonly Source[], limits: Limits): string[] {
  const declared = new Map<string, Set<string>>();
  return sources.flatMap((source) => {
    const location = locationOf(source.path);
    if (!declared.has(location.folder)) declared.set(location.folder, dependencies(root, location.folder));
    const declaredNames = declared.get(location.folder) ?? new Set();
    return importsOf(source).flatMap((found) => {
      const complaints = found.from.startsWith('.')
        ? relativeImport(source.path, found, location)
        : namedImport(source.path, found, { location, limits, declaredNames, root });
      return complaints.map((complaint) => `${source.path}:${found.line} ${complaint}`);
    });
  });
}

function locationOf(path: string): PackageLocation {
  const [kind = '', name = ''] = path.split('/');
  return kind === 'apps' || kind === 'libs'
    ? { kind, name, folder: `${kind}/${name}` }
    : { kind, name: kind, folder: kind };
}

function relativeImport(path: string, { from }: Import, location: PackageLocation): string[] {
  const target = posix.join(posix.dirname(path), from);
  if (target.startsWith(`${location.folder}/`)) return [...otherFeature(path, target), ...upwardImport(path, target)];
  const other = locationOf(target);
  if (other.kind === 'apps') return [`imports the app ${other.name}: an app is reached by its contracts only`];
  if (other.kind === 'libs') return [`reaches into ${other.folder} by a path: import @vigie/${other.name}/<file>`];
  return location.kind === 'apps' || location.kind === 'libs'
    ? [`imports ${target}, which is outside of its package`]
    : [];
}

const featureOf = (path: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];

function otherFeature(path: string, target: string): string[] {
  const [from, to] = [featureOf(path), featureOf(target)];
  return from && to && from !== to ? [`the feature ${from} imports the feature ${to}: let a page compose them`] : [];
}

/** The rooms of the web app, from the floor up: each may import itself and what is below. */
const rooms = ['ui', 'kit', 'features', 'shell'];
const roomOf = (path: string) => /^apps\/web\/src\/([^/]+)\//.exec(path)?.[1] ?? '';

function upwardImport(path: string, target: string): string[] {
  const [from, to] = [roomOf(path), roomOf(target)];
  const isUpward = rooms.includes(from) && rooms.indexOf(to) > rooms.indexOf(from);
  return isUpward ? [`${from} imports ${to}, which stands above it: ${rooms.join(' < ')}`] : [];
}

type Importer = { location: PackageLocation; limits: Limits; declaredNames: ReadonlySet<string>; root: string };

function namedImport(path: string, found: Import, { location, limits, declaredNames, root }: Importer): string[] {
  if (isBuiltin(found.from)) {
    const reachesBrowser = limits.browser.includes(location.name) && !isTest(path) && !isConfig(path);
    return reachesBrowser ? [`imports ${found.from}, but ${location.name} runs in the browser`] : [];
  }
  const name = packageOf(found.from);
  const undeclared = isDeclared(path, name, location, declaredNames, root)
    ? []
    : [`imports ${name}, which ${location.folder} does not declare`];
  if (!name.startsWith('@vigie/')) return [...undeclared, ...thirdParty(path, name, location, limits)];
  return [...undeclared, ...workspaceImport(path, found, location, limits)];
}

function thirdParty(path: string, name: string, location: PackageLocation, limits: Limits): string[] {
  const only = limits.onlyThirdParties[location.name];
  return only && !only.includes(name) && !isTest(path)
    ? [`imports ${name}: ${location.name} imports ${only.join(', ')} only`]
    : [];
}

function workspaceImport(path: string, found: Import, location: PackageLocation, limits: Limits): string[] {
  const [, lib = '', ...rest] = found.from.split('/');
  if (lib === location.name && location.kind === 'libs')
    return ['imports its own package by name: use a relative path'];
  if (!limits.libs.includes(lib)) return [`imports @vigie/${lib}, which is no lib`];
  if (isOutside(location) || location.name === 'testing') return [];
  if (lib === 'testing') return isTest(path) ? [] : ['imports @vigie/testing, which is for tests and tools'];
  const allowed = limits.table[location.name] ?? [];
  const passes = [lib, `${lib}/${rest.join('/')}`, ...(found.typesOnly ? [`${lib} (types)`] : [])];
  if (passes.some((pass) => allowed.includes(pass))) return [];
  return [`imports ${found.from}: ${location.name} may import ${allowed.join(', ') || 'no lib'}`];
}

/** Whether a file belongs neither to an app nor to a lib. */
const isOutside = ({ kind }: PackageLocation) => ['tools', 'docker', 'k8s'].includes(kind);

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Tests, tools and configuration may also use what the root declares, since they share one tool chain. */
function isDeclared(
  path: string,
  name: string,
  location: PackageLocation,
  declaredNames: ReadonlySet<string>,
  root: string,
): boolean {
  if (declaredNames.has(name) || (isOutside(location) && name.startsWith('@vigie/'))) return true;
  // If an app declared the testing lib, every change of a factory would rebuild the app.
  if (isTest(path) && name === '@vigie/testing') return true;
  return (
    (isOutside(location) || isTest(path) || isConfig(path) || location.name === 'testing') &&
    dependencies(root, '.').has(name)
  );
}

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>;

function dependencies(root: string, folder: string): Set<string> {
  const path = join(root, folder, 'package.json');
  if (!existsSync(path)) return new Set();
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  const { dependencies: runtimeDependencies, devDependencies, optionalDependencies } = manifest;
  return new Set(Object.keys({ ...runtimeDependencies, ...devDependencies, ...optionalDependencies }));
}
