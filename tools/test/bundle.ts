import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'rolldown/utils';
import { failed, type Outcome, passed } from './results';

const budget = 260_000;
/** What is fetched once it is needed, and how much it may be. */
const lazyBudgets = [{ name: /(?:^|\/)terminal-[^/]*\.js$/, bytes: 120_000 }];
/** Of the development-only login and offline mock: not in what is shipped. */
const markers = ['dev-user', 'vigie-offline-mock'];
/** Names of formats, licences and links in the error messages of libraries: nothing is fetched from there. */
const harmless = new Set([
  'bit.ly',
  // Of the sentences that say what an address looks like.
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
  const bytes = initial.texts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  return [
    ...(bytes > budget ? [`The initial JavaScript is ${bytes} bytes gzipped: ${budget} at most`] : []),
    ...shipped(folder).flatMap((path) => lazyFaults(folder, path, initial.paths.has(path))),
    ...shipped(folder).flatMap((path) => textFaults(path, readFileSync(join(folder, path), 'utf8'))),
  ];
}

/** What the browser loads before the first screen: the scripts of the page and all that they import statically. */
function initialScripts(folder: string): { paths: Set<string>; texts: Buffer[] } {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const paths = new Set<string>();
  const add = (path: string) => {
    if (paths.has(path)) return;
    paths.add(path);
    const { module } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
    for (const { moduleRequest } of module.staticImports) add(posix.join(posix.dirname(path), moduleRequest.value));
  };
  for (const [, path] of html.matchAll(/(?:src|href)="\/?(?!\/)([^":]+\.js)"/g)) add(path ?? '');
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script]) => script ?? '');
  const texts = [...paths].map((path) => readFileSync(join(folder, path)));
  return { paths, texts: texts.concat(inline.map((script) => Buffer.from(script))) };
}

function lazyFaults(folder: string, path: string, isInitial: boolean): string[] {
  const lazy = lazyBudgets.find(({ name }) => name.test(path));
  if (!lazy) return [];
  const bytes = gzipSync(readFileSync(join(folder, path))).length;
  return [
    ...(isInitial ? [`${path} is loaded before anybody needs it`] : []),
    ...(bytes > lazy.bytes ? [`${path} is ${bytes} bytes gzipped: ${lazy.bytes} at most`] : []),
  ];
}

const shipped = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(html|css|js|json|svg|webmanifest)$/.test(path),
  );

function textFaults(path: string, text: string): string[] {
  const origins = [...text.matchAll(/(?:https?:|url\(["']?|(?:src|href)=["'])\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi)];
  const foreign = new Set(origins.map(([, host]) => host ?? '').filter((host) => !harmless.has(host)));
  return [
    ...markers.filter((marker) => text.includes(marker)).map((marker) => `${path} contains ${marker}`),
    ...[...foreign].map((host) => `${path} names a third party: ${host}`),
  ];
}
