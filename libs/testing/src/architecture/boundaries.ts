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

type Place = { kind: string; name: string; folder: string };

export function crossedBoundaries(root: string, sources: readonly Source[], limits: Limits): string[] {
  const declared = new Map<string, Set<string>>();
  return sources.flatMap((source) => {
    const place = placeOf(source.path);
    if (!declared.has(place.folder)) declared.set(place.folder, dependencies(root, place.folder));
    const own = declared.get(place.folder) ?? new Set();
    return importsOf(source).flatMap((found) => {
      const complaints = found.from.startsWith('.')
        ? relativeImport(source.path, found, place)
        : namedImport(source.path, found, { place, limits, own, root });
      return complaints.map((complaint) => `${source.path}:${found.line} ${complaint}`);
    });
  });
}

function placeOf(path: string): Place {
  const [kind = '', name = ''] = path.split('/');
  return kind === 'apps' || kind === 'libs'
    ? { kind, name, folder: `${kind}/${name}` }
    : { kind, name: kind, folder: kind };
}

function relativeImport(path: string, { from }: Import, place: Place): string[] {
  const target = posix.join(posix.dirname(path), from);
  if (target.startsWith(`${place.folder}/`)) return otherFeature(path, target);
  const other = placeOf(target);
  if (other.kind === 'apps') return [`imports the app ${other.name}: an app is reached by its contracts only`];
  if (other.kind === 'libs') return [`reaches into ${other.folder} by a path: import @vigie/${other.name}/<file>`];
  return place.kind === 'apps' || place.kind === 'libs' ? [`imports ${target}, which is outside of its package`] : [];
}

const featureOf = (path: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];

function otherFeature(path: string, target: string): string[] {
  const [from, to] = [featureOf(path), featureOf(target)];
  return from && to && from !== to ? [`the feature ${from} imports the feature ${to}: let a page compose them`] : [];
}

type Importer = { place: Place; limits: Limits; own: ReadonlySet<string>; root: string };

function namedImport(path: string, found: Import, { place, limits, own, root }: Importer): string[] {
  if (isBuiltin(found.from)) {
    const reachesBrowser = limits.browser.includes(place.name) && !isTest(path) && !isConfig(path);
    return reachesBrowser ? [`imports ${found.from}, but ${place.name} runs in the browser`] : [];
  }
  const name = packageOf(found.from);
  const undeclared = isDeclared(path, name, place, own, root)
    ? []
    : [`imports ${name}, which ${place.folder} does not declare`];
  if (!name.startsWith('@vigie/')) return [...undeclared, ...thirdParty(path, name, place, limits)];
  return [...undeclared, ...workspaceImport(path, found, place, limits)];
}

function thirdParty(path: string, name: string, place: Place, limits: Limits): string[] {
  const only = limits.onlyThirdParties[place.name];
  return only && !only.includes(name) && !isTest(path)
    ? [`imports ${name}: ${place.name} imports ${only.join(', ')} only`]
    : [];
}

function workspaceImport(path: string, found: Import, place: Place, limits: Limits): string[] {
  const [, lib = '', ...rest] = found.from.split('/');
  if (lib === place.name && place.kind === 'libs') return ['imports its own package by name: use a relative path'];
  if (!limits.libs.includes(lib)) return [`imports @vigie/${lib}, which is no lib`];
  if (isOutside(place) || place.name === 'testing') return [];
  if (lib === 'testing') return isTest(path) ? [] : ['imports @vigie/testing, which is for tests and tools'];
  const allowed = limits.table[place.name] ?? [];
  const passes = [lib, `${lib}/${rest.join('/')}`, ...(found.typesOnly ? [`${lib} (types)`] : [])];
  if (passes.some((pass) => allowed.includes(pass))) return [];
  return [`imports ${found.from}: ${place.name} may import ${allowed.join(', ') || 'no lib'}`];
}

/** Whether a file belongs neither to an app nor to a lib. */
const isOutside = ({ kind }: Place) => ['tools', 'docker', 'k8s'].includes(kind);

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Tests, tools and configuration may also use what the root declares, since they share one tool chain. */
function isDeclared(path: string, name: string, place: Place, own: ReadonlySet<string>, root: string): boolean {
  if (own.has(name) || (isOutside(place) && name.startsWith('@vigie/'))) return true;
  // If an app declared the testing lib, every change of a factory would rebuild the app.
  if (isTest(path) && name === '@vigie/testing') return true;
  return (
    (isOutside(place) || isTest(path) || isConfig(path) || place.name === 'testing') &&
    dependencies(root, '.').has(name)
  );
}

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>;

function dependencies(root: string, folder: string): Set<string> {
  const path = join(root, folder, 'package.json');
  if (!existsSync(path)) return new Set();
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  const { dependencies: own, devDependencies, optionalDependencies } = manifest;
  return new Set(Object.keys({ ...own, ...devDependencies, ...optionalDependencies }));
}
