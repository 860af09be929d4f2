import { candidates, importsOf, type Source } from './source';

/** Finds import cycles, type-only ones too, because two files that need each other are badly divided. */
export function cycles(sources: readonly Source[]): string[] {
  const graph = importGraph(sources);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const position = trail.indexOf(path);
    if (position >= 0) found.push([...trail.slice(position), path].join(' → '));
    if (position >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found.map((cycle) => `cycle: ${cycle}`);
}

function importGraph(sources: readonly Source[]): Map<string, string[]> {
  const paths = new Set(sources.map((source) => source.path));
  const targetsOf = (source: Source) =>
    importsOf(source).flatMap(({ from }) => candidates(source.path, from).filter((path) => paths.has(path)));
  return new Map(sources.map((source) => [source.path, targetsOf(source)]));
}
