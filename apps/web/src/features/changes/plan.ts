import { ItemKind, type PlanLine } from '@vigie/contracts/changes';
import { foldText } from '@vigie/contracts/search-text';

export const lineKeyOf = ({ site_id: site, kind, slug }: PlanLine): string => `${site} ${kind} ${slug}`;

/** The filter of a plan: only visible lines are applied. */
export type Narrowing = { kinds: ReadonlySet<ItemKind>; q: string };
export const everything: Narrowing = { kinds: new Set(ItemKind.options), q: '' };

export function narrowed(lines: readonly PlanLine[], { kinds, q }: Narrowing): PlanLine[] {
  const text = foldText(q.trim());
  return lines.filter(
    ({ kind, name, slug, site_name: site }) =>
      kinds.has(kind) && [name, slug, site].some((known) => foldText(known).includes(text)),
  );
}

/** The lines to apply. */
export const keptOf = (lines: readonly PlanLine[], off: ReadonlySet<string>): PlanLine[] =>
  lines.filter((line) => line.refusal === null && !off.has(lineKeyOf(line)));

export type SiteLines = { id: string; name: string; lines: PlanLine[] };

/** Keeps the order of the plan. */
export function bySite(lines: readonly PlanLine[]): SiteLines[] {
  const sites = new Map<string, SiteLines>();
  for (const line of lines) {
    const site = sites.get(line.site_id) ?? { id: line.site_id, name: line.site_name, lines: [] };
    site.lines.push(line);
    sites.set(line.site_id, site);
  }
  return [...sites.values()];
}
