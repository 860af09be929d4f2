import { writeGroupPaths } from '@vigie/contracts/group-paths';
import type { SiteCsvLine, SiteCsvVerdict } from '@vigie/contracts/site-csv';
import type { GroupTree } from '../groups/group-tree';
import type { ReadLines } from './read-lines';

const maxGroupsShown = 10;

/** What would become of each line, in their order. */
export function verdictsOf(
  lines: readonly SiteCsvLine[],
  { accepted, refused, existing, tree }: ReadLines,
): SiteCsvVerdict[] {
  const verdicts = new Map<number, SiteCsvVerdict>();
  for (const { line, reason } of refused) verdicts.set(line, { ...blank, line, state: 'refused', reason });
  for (const { line, server, groups, place } of accepted) {
    const site = existing.get(line);
    verdicts.set(line, {
      line,
      state: site ? 'known' : 'new',
      reason: site ? `Déjà dans Vigie, sous le nom «\u00a0${site.name}\u00a0».` : null,
      site_id: site?.id ?? null,
      server: server && { id: server.id, name: server.name },
      groups: site ? [] : groups.slice(0, maxGroupsShown).map((path) => groupOf(path, tree)),
      place,
    });
  }
  return lines.flatMap(({ line }) => verdicts.get(line) ?? []);
}

const blank = { site_id: null, server: null, groups: [], place: { path: null, url: '' } };

function groupOf(path: readonly string[], tree: GroupTree): SiteCsvVerdict['groups'][number] {
  const match = tree.match(path);
  const names = typeof match === 'string' ? path : [...tree.pathTo(match.group), ...match.missing];
  return {
    path: writeGroupPaths([names]).slice(0, 300),
    is_new: typeof match !== 'string' && match.missing.length > 0,
  };
}
