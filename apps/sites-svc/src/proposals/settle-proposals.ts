import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { reachingCaller } from '../owners/reach';
import { callerName } from '../owners/caller-name';
import { isOpenProposal, isRepeatable, reachesAllSites } from './find-proposals';

type Order = { order: ProposedOrder; input: Record<string, unknown> };

/** SQL for the order, bound to the place that its site had. */
const orderColumns = `p."order", case when p.place is null then p.input
  else p.input || jsonb_build_object('expected_place', p.place) end as input`;

/** One statement decides, so that a proposal is confirmed or rejected once. Who rejects it changes no site. */
export async function takeOpen(
  manager: EntityManager,
  id: string,
  state: 'confirmed' | 'rejected',
): Promise<Order | undefined> {
  const [rows]: [Order[], number] = await manager.query(
    `update proposals p set state = $2, settled_by = $3, settled_by_name = $4, settled_at = now()
     where p.id = $1 and ${isOpenProposal('p')}
       and ($5::uuid is null or true) ${state === 'confirmed' ? `and ${reachesAllSites('$5')}` : ''}
     returning ${orderColumns}`,
    [id, state, currentUser().sub, callerName(), reachingCaller()],
  );
  return rows[0];
}

/** The order of a confirmation of the caller that ended before its job was known. */
export async function findUnsettled(manager: EntityManager, id: string): Promise<Order | undefined> {
  const [order]: Order[] = await manager.query(
    `select ${orderColumns} from proposals p where p.id = $1 and ${isRepeatable('p', '$2')}`,
    [id, currentUser().sub],
  );
  return order;
}

type Outcome = { jobId: string | null; refusal: string | null; reopens: boolean };

/**
 * Stores what came of a confirmation, and returns whether that was news. A known job is the truth: another attempt of the
 * same confirmation may have been refused, or have opened the proposal again, meanwhile.
 */
export async function settleConfirmed(
  manager: EntityManager,
  id: string,
  { jobId, refusal, reopens }: Outcome,
): Promise<boolean> {
  const state = jobId !== null ? 'confirmed' : reopens ? 'open' : 'refused';
  const [rows]: [unknown[], number] = await manager.query(
    `update proposals set state = $2, job_id = $3,
       refusal = case when $2 = 'refused' then $4 end, settled_by = case when $2 <> 'open' then $5::uuid end,
       settled_by_name = case when $2 <> 'open' then $6 end, settled_at = case when $2 <> 'open' then coalesce(settled_at, now()) end
     where id = $1 and job_id is null and (state = 'confirmed' and settled_by = $5
       or $3::uuid is not null and (state = 'open' or state = 'refused' and settled_by = $5)) returning id`,
    [id, state, jobId, refusal, currentUser().sub, callerName()],
  );
  return rows.length > 0;
}
