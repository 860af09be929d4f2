import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'rolldown/utils';
import { failed, type Outcome, passed } from './results';

/** What is loaded until the dashboard, the first screen of most people, can be used. */
const budget = 240_000;
const firstScreen = /^assets\/DashboardPage-[^/]*\.js$/;
/** Limits for scripts that are loaded later. */
const lazyBudgets = [{ name: /(?:^|\/)terminal-[^/]*\.js$/, bytes: 120_000 }];
/** Words of the development-only login and offline mock, which must not be shipped. */
const markers = ['dev-user', 'vigie-offline-mock'];
/** Hosts in format names, licences and error messages of libraries: nothing is fetched from them. */
const harmlessHosts = new Set([
  'bit.ly',
  // Used in examples of addresses.
  'exemple.fr',
  'github.com',
  'json-schema.org',
  'mantine.dev',
  'react.dev',
  'reactjs.org',
  'redux-toolkit.js.org',
  'redux.js.org',
  'tanstack.com',
  'www.w3.org',
]);

export function checkBundle(folder: string): Outcome {
  const faults = bundleFaults(folder);
  return faults.length === 0 ? passed : failed(faults.join('\n'));
}

export function bundleFaults(folder: string): string[] {
  if (!existsSync(join(folder, 'index.html'))) return [`${folder} has no index.html`];
  const initial = initialScripts(folder);
  const dashboard = shippedFiles(folder).filter((path) => firstScreen.test(path));
  const bytes = gzippedBytes(folder, withImports(folder, [...initial.paths, ...dashboard]), initial.inline);
  return [
    ...(bytes > budget ? [`The dashboard needs ${bytes} bytes of JavaScript gzipped: ${budget} at most`] : []),
    ...shippedFiles(folder).flatMap((path) => lazyFaults(folder, path, initial.paths.has(path))),
    ...shippedFiles(folder).flatMap((path) => textFaults(path, readFileSync(join(folder, path), 'utf8'))),
  ];
}

/** Finds the scripts that load before the first screen: those of the page and their static imports. */
function initialScripts(folder: string): { paths: ReadonlySet<string>; inline: string[] } {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const linked = [...html.matchAll(/(?:src|href)="\/?(?!\/)([^":]+\.js)"/g)].map(([, path]) => path ?? '');
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script]) => script ?? '');
  return { paths: withImports(folder, linked), inline };
}

function withImports(folder: string, scripts: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  const add = (path: string) => {
    if (paths.has(path)) return;
    paths.add(path);
    const { module } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
    for (const { moduleRequest } of module.staticImports) add(posix.join(posix.dirname(path), moduleRequest.value));
  };
  scripts.forEach(add);
  return paths;
}

function gzippedBytes(folder: string, paths: Iterable<string>, inline: readonly string[]): number {
  const texts = [...paths].map((path) => readFileSync(join(folder, path)));
  return [...texts, ...inline].reduce((sum, script) => sum + gzipSync(script).length, 0);
}

function lazyFaults(folder: string, path: string, isInitial: boolean): string[] {
  const lazy = lazyBudgets.find(({ name }) => name.test(path));
  if (!lazy) return [];
  const bytes = gzipSync(readFileSync(join(folder, path))).length;
  return [
    ...(isInitial ? [`${path} is loaded before it is needed`] : []),
    ...(bytes > lazy.bytes ? [`${path} is ${bytes} bytes gzipped: ${lazy.bytes} at most`] : []),
  ];
}

const shippedFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(html|css|js|json|svg|webmanifest)$/.test(path),
  );

function textFaults(path: string, text: string): string[] {
  const origins = [...text.matchAll(/(?:https?:|url\(["']?|(?:src|href)=["'])\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi)];
  const foreign = new Set(origins.map(([, host]) => host ?? '').filter((host) => !harmlessHosts.has(host)));
  return [
    ...markers.filter((marker) => text.includes(marker)).map((marker) => `${path} contains ${marker}`),
    ...[...foreign].map((host) => `${path} names a third party: ${host}`),
  ];
}
