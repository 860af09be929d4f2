import { isOneOf, queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { isOpen, type Job } from '../queue/job.entity';

/** In each operation of a host: its rollback copies must find room there all at once. */
const maxCompanions = 24;

/** SQL: the job updates a plugin or a theme, which others of its site can be updated with. */
const isSmallUpdate = (row: string) =>
  `${row}.kind = 'changes.update' and ${row}.input #>> '{item,kind}' in ('plugin', 'theme') and not ${row}.is_alone`;
/** SQL: the job has not begun, and no worker is about to claim it. */
const isUnclaimed = (row: string) =>
  `${row}.state = 'queued' and ${row}.lead_id is null and ${row}.dispatched_at is null and ${row}.not_before <= now()`;

/**
 * Finds the companions of each job: those that it had before, or else the waiting updates of its site from the same
 * request. Returns the lead by the companion's id. They must be locked and checked again with `isCompanion`.
 */
export async function findCompanions(manager: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  // Most claims are of other jobs, for which planning the search would take longer than the claim.
  const updates = await queryPrepared<{ id: string }>(
    manager,
    `select id from jobs where id ${isOneOf(ids, '$1')} and kind = 'changes.update'`,
    [ids],
  );
  if (updates.length === 0) return new Map();
  const rows = await queryPrepared<{ id: string; lead_id: string }>(
    manager,
    `select other.id, other.lead_id from jobs other join jobs lead on lead.id = other.lead_id
     where other.lead_id = any($1::uuid[]) and other.state = 'running' and lead.started_at is not null
     union all
     select other.id, lead.id from jobs lead cross join lateral (
       select id from jobs waiting
       where site_id = lead.site_id and batch_id = lead.batch_id and id <> lead.id and ${isOpen('waiting')}
         and ${isUnclaimed('waiting')} and ${isSmallUpdate('waiting')}
       order by created_at, id limit ${maxCompanions}) other
     where lead.id = any($1::uuid[]) and lead.started_at is null and ${isSmallUpdate('lead')}`,
    [updates.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, lead_id: leadId }) => [id, leadId]));
}

/** Whether a locked job is still what `findCompanions` has found. */
export function isCompanion({ leadId, state, dispatchedAt }: Job, lead: Job): boolean {
  if (leadId === lead.id) return state === 'running' && lead.startedAt !== null;
  return leadId === null && state === 'queued' && dispatchedAt === null && lead.startedAt === null;
}

/** Whether only a worker that takes companions can go on with a locked job. */
export const isJoint = (job: Job, companions: readonly Job[]): boolean =>
  companions.some(({ leadId }) => leadId === job.id) || (job.checkpoint !== null && 'together' in job.checkpoint);
