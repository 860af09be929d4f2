import { beatCount, type BeatState } from '@vigie/contracts/uptime';
import type { EntityManager } from 'typeorm';
import { keptSeconds, slotSql } from './rings';

/** How a state is stored. */
export const stateCodes: Readonly<Record<BeatState, number>> = { up: 0, down: 1, excused: 2, unsure: 3 };
const states = Object.keys(stateCodes) as BeatState[];
export const stateOf = (code: number): BeatState => states[code] ?? 'unsure';

export type CheckSample = {
  site_id: string;
  code: number;
  ms: number | null;
  state: BeatState;
  /** How often the site is visited. */
  seconds: number;
};

/**
 * A failing site is visited each minute, however rarely the others are: of its visits only those at the usual interval count,
 * or its outage would seem longer than it was. One that counted for nothing takes the place of no other.
 */
export async function insertSamples(manager: EntityManager, samples: readonly CheckSample[]): Promise<void> {
  const rows = samples.map(({ state, ...sample }) => ({ ...sample, state: stateCodes[state] }));
  await manager.query(
    `insert into visit_samples (site_id, at, slot, code, ms, state)
     select site_id, now(), ${slotSql('visit_samples', 'now()')}, code, ms, state
     from jsonb_to_recordset($1::jsonb) as r(site_id uuid, code smallint, ms int, state smallint, seconds float8)
     where r.seconds <= 60 or not exists (select from visit_samples v
       where v.site_id = r.site_id and v.at > now() - make_interval(secs => least(r.seconds, ${keptSeconds('visit_samples')}) - 30)
         and (v.state in (${stateCodes.up}, ${stateCodes.down}) or v.state = r.state))
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

/** Checks without an answer say nothing about sites once it is known that Vigie's own network was down. */
export async function doubtSamplesSince(manager: EntityManager, since: Date): Promise<void> {
  await manager.query(
    `update visit_samples set state = ${stateCodes.unsure}
     where at >= $1 and state = ${stateCodes.down} and code = 0
       and slot in (${slotSql('visit_samples', '$1')}, ${slotSql('visit_samples', 'now()')})`,
    [since],
  );
}

export type LastSample = { site_id: string; at: Date; code: number; ms: number | null; state: number };

/** The last checks of these sites, the oldest first. */
export const findLastSamples = (manager: EntityManager, siteIds: readonly string[]): Promise<LastSample[]> =>
  manager.query(
    `select v.* from unnest($1::uuid[]) wanted(id) cross join lateral (
       select site_id, at, code, ms, state from visit_samples
       where site_id = wanted.id and at > now() - interval '${keptSeconds('visit_samples')} seconds'
       order by at desc limit ${beatCount}) v
     order by v.at`,
    [siteIds],
  );
