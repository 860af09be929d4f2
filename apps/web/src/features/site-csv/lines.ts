import { KnownPlaces } from '@vigie/contracts/site-csv';
import type { ImportResult, PreviewLine } from './site-csv.api';

/** Marks the lines about a site that an earlier line has: the server sees only a part of the file at once. */
export function markRepeats(lines: readonly PreviewLine[]): PreviewLine[] {
  const places = new KnownPlaces<number>();
  return lines.map((line) => {
    const { state, place } = line.verdict;
    if (state !== 'new') return line;
    const earlier = places.find(place);
    if (earlier === undefined) {
      places.add(place, line.verdict.line);
      return line;
    }
    const reason = `En double\u00a0: c’est le même site que la ligne ${earlier}.`;
    return { ...line, verdict: { ...line.verdict, state: 'known', reason } };
  });
}

/** What must be looked at comes first: the refused lines, then the new ones. */
export const inReadingOrder = (lines: readonly PreviewLine[]): PreviewLine[] =>
  (['refused', 'new', 'known'] as const).flatMap((state) => lines.filter(({ verdict }) => verdict.state === state));

export const newGroupsOf = (lines: readonly PreviewLine[]): string[] => {
  const groups = lines.flatMap(({ verdict }) => (verdict.state === 'new' ? verdict.groups : []));
  return [...new Set(groups.filter(({ is_new: isNew }) => isNew).map(({ path }) => path))];
};

export const emptyImport: ImportResult = { items: [], skipped: [], refused: [] };

export const mergeImports = (first: ImportResult, second: ImportResult): ImportResult => ({
  items: [...first.items, ...second.items],
  skipped: [...first.skipped, ...second.skipped],
  refused: [...first.refused, ...second.refused],
});

/** The server of all imported sites, if they have the same. */
export function commonServer({ items }: ImportResult): string | undefined {
  const [serverId, ...others] = new Set(items.map(({ server_id: id }) => id));
  return others.length === 0 ? (serverId ?? undefined) : undefined;
}
