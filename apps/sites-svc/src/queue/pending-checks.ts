import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import type { JobKind, JobTicket } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { PendingJobs } from './pending-jobs';
import { Jobs, type JobRequest, soleOwnerOf } from './jobs';

type Check = Required<Pick<JobRequest, 'target' | 'input'>>;

/** Creates checks of sites and servers. Requests for a running check share its job: hosts count refused logins. */
@Injectable()
export class PendingChecks {
  constructor(
    private readonly jobs: Jobs,
    private readonly pendingJobs: PendingJobs,
  ) {}

  createOne(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Check & { kind: JobKind }>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      const check = { ...(await find(manager)), isCheck: true };
      const open = await this.jobs.findOpen(manager, check);
      return { pendingId: open?.id, createJob: (id) => this.jobs.add(manager, { ...check, id }) };
    });
  }

  /** Returns the open batch of the same checks, if there is one. */
  createBatch(
    contract: Contract,
    input: object,
    kind: JobKind,
    find: (manager: EntityManager) => Promise<Check[]>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      await lockName(manager, 'looks', currentUser().sub);
      const checks = await find(manager);
      return {
        pendingId: await findOpenBatch(manager, kind, checks),
        createJob: (id) => this.jobs.addBatch(manager, { id, kind, requests: checks, isCheck: true }),
      };
    });
  }
}

/** Finds an open batch of the same checks, of the same versions of sites or servers, with no job cancelled. */
async function findOpenBatch(
  manager: EntityManager,
  kind: JobKind,
  checks: readonly Check[],
): Promise<string | undefined> {
  const { sub } = currentUser();
  const [open]: { id: string }[] = await manager.query(
    `with wanted as (
       select array_agg((o ->> 'id') || '@' || (o -> 'input')::text order by o ->> 'id') as checks
       from jsonb_array_elements($4::jsonb) o)
     select b.id from jobs b cross join wanted cross join lateral (
       select array_agg(coalesce(c.server_id, c.site_id) || '@' || c.input::text
           order by coalesce(c.server_id, c.site_id)::text) as checks,
         bool_or(c.cancel_asked_at is not null or c.state = 'cancelled') as is_cancelled
       from jobs c where c.batch_id = b.id
     ) t
     where b.owner_id = $1 and b.batch_id is null and b.created_at > now() - interval '1 hour'
       and b.is_batch and b.kind = $2 and b.actor_id = $3 and b.state in ('queued', 'running')
       and t.checks = wanted.checks and not t.is_cancelled
     order by b.created_at desc limit 1`,
    [soleOwnerOf(checks) ?? sub, kind, sub, JSON.stringify(checks.map(({ target: { id }, input }) => ({ id, input })))],
  );
  return open?.id;
}
