import {
  maxShownOutages,
  maxShownSites,
  type PublicOutage,
  type PublicSite,
  type PublicState,
  type PublicStatus,
  shownDays,
} from '@vigie/contracts/status-pages';
import type { EntityManager } from 'typeorm';
import { isInGroup } from '../groups/memberships';
import { findStates, isNetworkCut } from './find-states';
import { findDays, type DayCounts } from '../uptime/find-days';
import { findDayUptimes } from '../uptime/find-uptime';
import { publicNames } from './public-names';

export type Status = Omit<PublicStatus, 'title' | 'outages'> & { outages: PublicOutage[] };

type NamedSite = { id: string; name: string };

/** What the page of a group shows of its sites and those of the groups below it, without anything that is Vigie's own. */
export async function findStatus(manager: EntityManager, groupId: string): Promise<Status> {
  const sites = await findSites(manager, groupId);
  const isCut = await isNetworkCut(manager);
  const states = await findStates(manager, idsOf(sites), isCut);
  const shown = sites.slice(0, maxShownSites);
  const counts = countStates(states.values());
  return {
    state: overallState(counts),
    is_cut: isCut,
    generated_at: new Date().toISOString(),
    counts,
    sites: await describeSites(manager, shown, states),
    outages: await findOutages(manager, shown),
  };
}

const idsOf = (sites: readonly NamedSite[]) => sites.map(({ id }) => id);

async function findSites(manager: EntityManager, groupId: string): Promise<NamedSite[]> {
  const rows: { id: string; url: string }[] = await manager.query(
    `select s.id, s.url from sites s where ${isInGroup('sites', 's', '$1')} order by s.id`,
    [groupId],
  );
  const names = publicNames(rows);
  const { compare } = new Intl.Collator('fr', { numeric: true });
  return rows.map(({ id }) => ({ id, name: names.get(id) ?? '' })).toSorted((a, b) => compare(a.name, b.name));
}

type Counts = Status['counts'];

function countStates(states: Iterable<PublicState>): Counts {
  const counts = { up: 0, down: 0, maintenance: 0, unknown: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}

/** The worst of what is known. A page without sites is well. */
function overallState({ down, unknown, maintenance }: Counts): PublicState {
  if (down > 0) return 'down';
  if (unknown > 0) return 'unknown';
  return maintenance > 0 ? 'maintenance' : 'up';
}

async function describeSites(
  manager: EntityManager,
  sites: readonly NamedSite[],
  states: ReadonlyMap<string, PublicState>,
): Promise<PublicSite[]> {
  const days = await findDays(manager, idsOf(sites), shownDays);
  const lastDay = await findDayUptimes(manager, idsOf(sites));
  return sites.map(({ id, name }) => {
    const counts = days.get(id) ?? [];
    return {
      name,
      state: states.get(id) ?? 'unknown',
      uptime: { day: lastDay.get(id) ?? null, month: percentOf(counts.slice(-30)), quarter: percentOf(counts) },
      days: counts.map((count) => percentOf([count])),
    };
  });
}

function percentOf(days: readonly DayCounts[]): number | null {
  const ups = days.reduce((sum, day) => sum + day.ups, 0);
  const all = days.reduce((sum, day) => sum + day.ups + day.downs, 0);
  return all === 0 ? null : (100 * ups) / all;
}

/** One line for each incident, whatever its cause. What became a part of another one is a part of that. */
async function findOutages(manager: EntityManager, sites: readonly NamedSite[]): Promise<PublicOutage[]> {
  const rows: { ids: string[]; from: Date; to: Date | null }[] = await manager.query(
    `select array_agg(m.subject_id) as ids, min(m.since) as "from",
       case when bool_or(m.until is null) then null else max(m.until) end as "to"
     from incident_subjects m join incidents i on i.id = m.incident_id
     where m.subject_id = any($1::uuid[]) and i.kind = 'outage' and i.resolution is distinct from 'merged'
       and (m.until is null or m.until > now() - interval '${shownDays} days')
     group by i.id order by bool_or(m.until is null) desc, min(m.since) desc, i.id limit ${maxShownOutages}`,
    [idsOf(sites)],
  );
  return rows.map(({ ids, from, to }) => ({
    sites: sites.filter(({ id }) => ids.includes(id)).map(({ name }) => name),
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
  }));
}
