import { candidates, importsOf, isTest, type Source } from './source';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Finds import cycles, type-only ones too, because two files that need each other are badly divided. */
export function cycles(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map((source) => source.path));
  const graph = new Map(sources.map((source) => [source.path, targetsOf(source, paths).map(({ path }) => path)]));
  return findCycles(graph).map((cycle) => `cycle: ${cycle.join(' → ')}`);
}

/** Finds cycles between the folders of one app, type-only ones too. Tests may import what stands above their folder. */
export function folderCycles(sources: readonly Source[]): string[] {
  const imports = importsBetweenFolders(sources);
  const graph = new Map([...imports].map(([folder, examples]) => [folder, [...examples.keys()]]));
  return findCycles(graph).map((cycle) => {
    const examples = cycle.slice(1).map((folder, position) => imports.get(cycle[position] ?? '')?.get(folder));
    return `folder cycle: ${cycle.join(' → ')} (${examples.join(', ')})`;
  });
}

/** Maps each folder to the folders that it imports, each with the place of one such import. */
function importsBetweenFolders(sources: readonly Source[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const own = sources.filter(({ path }) => !isTest(path));
  const paths = new Set(own.map(({ path }) => path));
  const imports = new Map<string, Map<string, string>>();
  for (const source of own) {
    const folder = folderOf(source.path);
    if (folder === undefined) continue;
    const examples = imports.get(folder) ?? new Map<string, string>();
    imports.set(folder, examples);
    for (const { path, line } of targetsOf(source, paths)) {
      const target = folderOf(path);
      if (target !== undefined && target !== folder && !examples.has(target))
        examples.set(target, `${source.path}:${line}`);
    }
  }
  return imports;
}

/** A file beside the folders counts as a folder of its own; each feature and each part of the kit of the web is one. */
const folderOf = (path: string) =>
  /^apps\/web\/src\/(features|kit)\/[^/]+/.exec(path)?.[0] ?? /^apps\/[^/]+\/src\/[^/]+/.exec(path)?.[0];

/** A depth-first search finds a cycle in every part of the graph that has one, not all of them. */
function findCycles(graph: Graph): string[][] {
  const done = new Set<string>();
  const found: string[][] = [];
  const visit = (node: string, trail: readonly string[]) => {
    const position = trail.indexOf(node);
    if (position >= 0) found.push([...trail.slice(position), node]);
    if (position >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

const targetsOf = (source: Source, paths: ReadonlySet<string>) =>
  importsOf(source).flatMap(({ from, line }) =>
    candidates(source.path, from)
      .filter((path) => paths.has(path))
      .map((path) => ({ path, line })),
  );
