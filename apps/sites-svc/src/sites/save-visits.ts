import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';

type Visits = readonly Pick<Input<typeof reportVisits>['items'][number], 'id' | 'url' | 'seen'>[];

/** Ignores visits of an old address, and a slow visit that a newer one overtook. */
export async function saveVisits(manager: EntityManager, visits: Visits): Promise<void> {
  await manager.query(
    `update sites s set http = r.seen from jsonb_to_recordset($1::jsonb) as r(id uuid, url text, seen jsonb)
     where s.id = r.id and s.url = r.url
       and (s.http is null or (s.http ->> 'checked_at')::timestamptz <= (r.seen ->> 'checked_at')::timestamptz)`,
    [toJsonb(visits)],
  );
}
