import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';

type Visits = readonly Pick<Input<typeof reportVisits>['items'][number], 'id' | 'url' | 'seen'>[];

/** A routine visit that found what is known already is stored no more often than this. */
const routineMinutes = 4;
const changes = `(s.http ->> 'code', s.http ->> 'error', s.http ->> 'url') is distinct from
  (r.seen ->> 'code', r.seen ->> 'error', r.seen ->> 'url')`;

/** Ignores visits of an old address, and a slow visit that a newer one overtook. */
export async function saveVisits(manager: EntityManager, visits: Visits, { isRoutine = false } = {}): Promise<void> {
  await manager.query(
    `update sites s set http = r.seen from jsonb_to_recordset($1::jsonb) as r(id uuid, url text, seen jsonb)
     where s.id = r.id and s.url = r.url
       and (s.http is null or (s.http ->> 'checked_at')::timestamptz <= (r.seen ->> 'checked_at')::timestamptz)
       and (not $2 or s.http is null or ${changes}
         or (s.http ->> 'checked_at')::timestamptz < now() - interval '${routineMinutes} minutes')`,
    [toJsonb(visits), isRoutine],
  );
}
