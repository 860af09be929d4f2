import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'rolldown/utils';
import type { Service } from '../start/services';
import { failed, type Outcome, passed } from './results';

/** What is loaded until the dashboard, the first screen of most people, can be used. */
const budget = 240_000;
const firstScreen = /^assets\/DashboardPage-[^/]*\.js$/;
/** Limits for scripts that are loaded later. */
const lazyBudgets = [{ name: /(?:^|\/)terminal-[^/]*\.js$/, bytes: 120_000 }];
/**
 * Limits for the code that a service loads at its start, a tenth above what it needs. Node keeps it in memory for as long
 * as the service runs, and what the code builds takes several times as much.
 */
const serviceBudgets: Record<Service, number> = {
  gateway: 3_200_000,
  'auth-svc': 3_200_000,
  'sites-svc': 5_000_000,
  'ssh-agent': 3_900_000,
  'dns-svc': 3_300_000,
};
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
  'simplewebauthn.dev',
  'tanstack.com',
  'www.w3.org',
]);

export function checkBundles(dist: string): Outcome {
  const services = Object.entries(serviceBudgets);
  const faults = [
    ...bundleFaults(join(dist, 'web')),
    ...services.flatMap(([service, bytes]) => serviceFaults(join(dist, service), bytes)),
  ];
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

/** A service whose code has a character beyond Latin-1 also keeps two bytes for each of all the others. */
export function serviceFaults(folder: string, maxBytes: number): string[] {
  const paths = [...withImports(folder, ['main.js'])];
  const bytes = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  return [
    ...(bytes > maxBytes ? [`${folder} loads ${bytes} bytes of JavaScript: ${maxBytes} at most`] : []),
    ...paths
      .filter((path) => /[^\0-\u00ff]/.test(readFileSync(join(folder, path), 'utf8')))
      .map((path) => `${join(folder, path)} has characters beyond Latin-1`),
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
    for (const { moduleRequest } of module.staticImports)
      if (moduleRequest.value.startsWith('.')) add(posix.join(posix.dirname(path), moduleRequest.value));
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
