import { ItemKind, type PlannedChange } from '@vigie/contracts/changes';
import { foldText } from '@vigie/contracts/search-text';

export const lineKey = ({ site_id: siteId, kind, slug }: PlannedChange): string => `${siteId} ${kind} ${slug}`;

/** The filter of a plan: only visible lines are applied. */
export type PlanFilter = { kinds: ReadonlySet<ItemKind>; q: string };
export const noFilter: PlanFilter = { kinds: new Set(ItemKind.options), q: '' };

export function filterLines(lines: readonly PlannedChange[], { kinds, q }: PlanFilter): PlannedChange[] {
  const text = foldText(q.trim());
  return lines.filter(
    ({ kind, name, slug, site_name: siteId }) =>
      kinds.has(kind) && [name, slug, siteId].some((field) => foldText(field).includes(text)),
  );
}

/** The lines to apply. */
export const linesToApply = (lines: readonly PlannedChange[], excluded: ReadonlySet<string>): PlannedChange[] =>
  lines.filter((line) => line.refusal === null && !excluded.has(lineKey(line)));

export type SiteLines = { id: string; name: string; lines: PlannedChange[] };

/** Keeps the order of the plan. */
export function groupBySite(lines: readonly PlannedChange[]): SiteLines[] {
  const sites = new Map<string, SiteLines>();
  for (const line of lines) {
    const site = sites.get(line.site_id) ?? { id: line.site_id, name: line.site_name, lines: [] };
    site.lines.push(line);
    sites.set(line.site_id, site);
  }
  return [...sites.values()];
}
