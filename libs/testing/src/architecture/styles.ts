import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importsOf, lineAt, type Source } from './source';

const isModule = (path: string) => path.endsWith('.module.css');

/** Refuses classes of style sheets that nothing draws, classes that no sheet has, and a feature's second sheet. */
export function styleFaults(root: string, paths: readonly string[], sources: readonly Source[]): string[] {
  const modules = paths.filter(isModule);
  const classes = new Map(modules.map((path) => [path, classesIn(readFileSync(join(root, path), 'utf8'))]));
  const used = new Map(modules.map((path) => [path, new Set<string>()]));
  const missing = sources.flatMap((source) =>
    usesIn(source).flatMap(({ path, name, offset }) => {
      used.get(path)?.add(name);
      const isKnown = classes.get(path)?.has(name) === true;
      return isKnown ? [] : [`${source.path}:${lineAt(source, offset)} uses the class ${name}, which ${path} lacks`];
    }),
  );
  const unused = modules.flatMap((path) =>
    [...(classes.get(path) ?? [])]
      .filter((name) => !used.get(path)?.has(name))
      .map((name) => `${path}: nothing uses the class ${name}`),
  );
  return [...missing, ...unused, ...modules.flatMap(otherName)];
}

/** What a feature draws of its own stands in one sheet, named after it. */
function otherName(path: string): string[] {
  const [, feature, file] = /^apps\/web\/src\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return feature === undefined || file === `${feature}.module.css`
    ? []
    : [`${path}: a feature has one style sheet, ${feature}.module.css`];
}

const classesIn = (css: string) =>
  new Set(
    [...css.replaceAll(/\/\*.*?\*\/|"[^"]*"|:global\([^)]*\)/gs, '').matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/gi)].map(
      ([, name = '']) => name,
    ),
  );

/** Classes are read by their names: `styles['bar']`. */
function usesIn(source: Source): { path: string; name: string; offset: number }[] {
  return importsOf(source)
    .filter(({ from }) => isModule(from))
    .flatMap(({ from }) => {
      const path = posix.join(posix.dirname(source.path), from);
      const sheet = new RegExp(`import (\\w+) from '${from.replaceAll('.', '\\.')}'`).exec(source.text)?.[1] ?? '';
      return [...source.text.matchAll(new RegExp(`\\b${sheet}\\['([^']+)'\\]`, 'g'))].map((match) => ({
        path,
        name: match[1] ?? '',
        offset: match.index,
      }));
    });
}
