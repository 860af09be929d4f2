import type { PublicState } from '@vigie/contracts/status-pages';
import type { BeatState } from '@vigie/contracts/uptime';
import type { EntityManager } from 'typeorm';
import { isRecent, vigieId } from '../incidents/conditions';
import { checkSeconds } from '../sweeps/schedule';
import { visitSeconds } from '../sweeps/visit-intervals';
import { stateOf } from '../visit-history/samples';

/** Whether an incident says that Vigie reaches nobody. */
export async function isNetworkCut(manager: EntityManager): Promise<boolean> {
  const open: unknown[] = await manager.query(
    `select from incidents where cause_id = $1 and kind = 'network' and resolved_at is null`,
    [vigieId],
  );
  return open.length > 0;
}

type Row = { id: string; beat: number | null; is_failing: boolean };

/** The state of each site: an outage is one that Vigie has confirmed, and a check of long ago says nothing about now. */
export async function findStates(
  manager: EntityManager,
  ids: readonly string[],
  isCut: boolean,
): Promise<Map<string, PublicState>> {
  const rows: Row[] = await manager.query(
    `select wanted.id, last.state as beat, exists (
       select from incident_subjects o join incidents i on i.id = o.incident_id
       where o.subject_id = wanted.id and o.until is null and i.kind = 'outage' and i.resolved_at is null) as is_failing
     from unnest($1::uuid[]) wanted(id)
       cross join lateral (select ${visitSeconds('wanted.id', '$2::float8')} as seconds) pause
       left join lateral (
         select v.state from visit_samples v where v.site_id = wanted.id and ${isRecent('v.at', 'pause.seconds')}
         order by v.at desc limit 1) last on true`,
    [ids, checkSeconds('site-visit')],
  );
  return new Map(rows.map((row) => [row.id, isCut ? 'unknown' : toState(row)]));
}

const told: Readonly<Record<BeatState, PublicState>> = {
  up: 'up',
  down: 'up',
  excused: 'maintenance',
  unsure: 'unknown',
};

/** A single failed check is no outage yet, and a single good one no end of it. */
function toState({ beat, is_failing: isFailing }: Row): PublicState {
  const state = beat === null ? 'unknown' : told[stateOf(beat)];
  return state === 'up' && isFailing ? 'down' : state;
}
