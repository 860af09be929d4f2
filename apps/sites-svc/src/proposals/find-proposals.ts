import { AppError } from '@vigie/contracts/errors';
import type { OrderProposal, ProposalItem, ProposalLine, ProposalState } from '@vigie/contracts/proposals';
import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { reachesSite, reachingCaller } from '../owners/reach';
import { refusalFor } from '../owners/role-refusal';

type ProposalRow = {
  id: string;
  user_id: string;
  user_name: string;
  token_name: string | null;
  order: ProposedOrder;
  state: ProposalState;
  sites: number;
  lines: number;
  plan: ProposalLine[];
  notes: string[];
  reason: string | null;
  created_at: Date;
  expires_at: Date;
  seconds_left: number;
  settled_by_name: string | null;
  settled_at: Date | null;
  job_id: string | null;
  refusal: string | null;
  reads_plan: boolean;
  restore: OrderProposal['restore'];
  can_confirm: boolean;
  token_id: string | null;
};

/** SQL for the state; nobody has to write that an hour has passed, or that no answer came. */
const state = `case when p.state = 'open' and p.expires_at <= now() then 'expired'
  when p.state = 'confirmed' and p.job_id is null then 'unknown' else p.state end`;

/** SQL condition: the proposal waits for somebody. */
export const isOpenProposal = (row: string) => `${row}.state = 'open' and ${row}.expires_at > now()`;

/**
 * SQL condition: this user confirmed the proposal, whose job is not known, and may give its order again. An order is
 * recognized for a day, so an hour is safe.
 */
export const isRepeatable = (row: string, user: string) =>
  `${row}.state = 'confirmed' and ${row}.job_id is null and ${row}.settled_by = ${user}
    and ${row}.settled_at > now() - interval '1 hour'`;

/** SQL condition: the caller may operate all sites of the proposal. */
export const reachesAllSites = (caller: string): string => `not exists (
  select from unnest(p.site_ids) wanted left join sites s on s.id = wanted
  where s.id is null or (${reachesSite('s', caller)}) is not true)`;

/** SQL condition: the caller may read what the proposal says about its sites. */
const readsPlan = (caller: string) => `(${caller}::uuid is null or ${reachesAllSites(caller)})`;

const seenBy = (caller: string) => `(p.user_id = ${caller} or ${readsPlan(caller)})`;

/** SQL for the lines of the plan of `p` that its order is about. */
export const changedLines = `jsonb_array_elements(p.plan) l where l ->> 'refusal' is null`;

/** SQL for the numbers of sites and lines that the order of `p` is about. */
export const proposalCounts = `(select count(distinct l ->> 'site_id')::int from ${changedLines}) as sites,
  (select count(*)::int from ${changedLines}) as lines`;

const itemColumns = `p.id, p.user_id, p.user_name, p.token_name, p."order", ${state} as state, 
  ${proposalCounts},
  p.created_at, p.expires_at, case when p.state = 'open' then greatest(0, floor(extract(epoch from p.expires_at - now())))::int else 0 end as seconds_left,
  p.settled_by_name, p.settled_at, p.job_id`;

const restoreOf = `case when p."order" = 'restore' then
  jsonb_build_object('mode', p.input ->> 'mode', 'scope', p.input ->> 'scope') end`;

const canConfirm = (caller: string, user: string) =>
  `(${isOpenProposal('p')} and (${caller}::uuid is null or true) and ${reachesAllSites(caller)} or ${isRepeatable('p', user)})`;

type Page = { state?: ProposalState | undefined; limit: number; offset: number };

export async function findProposals(manager: EntityManager, { state: wanted, limit, offset }: Page) {
  const rows: (ProposalRow & { total: number })[] = await manager.query(
    `select ${itemColumns}, count(*) over ()::int as total from proposals p
     where ${seenBy('$1')} and ($2::text is null or ${state} = $2)
     order by p.created_at desc, p.id desc limit $3 offset $4`,
    [reachingCaller(), wanted ?? null, limit, offset],
  );
  return { items: rows.map(toItem), total: rows[0]?.total ?? offset };
}

export type FoundProposal = { proposal: OrderProposal; tokenId: string | null };

export async function findProposal(manager: EntityManager, id: string): Promise<FoundProposal> {
  const [row]: ProposalRow[] = await manager.query(
    `select ${itemColumns}, p.plan, p.notes, p.reason, p.refusal, p.token_id, ${readsPlan('$1')} as reads_plan,
       ${restoreOf} as restore, coalesce(${canConfirm('$1', '$3')}, false) as can_confirm
     from proposals p where ${seenBy('$1')} and p.id = $2`,
    [reachingCaller(), id, currentUser().sub],
  );
  if (!row) throw await refusalOfProposal(manager, id);
  const { plan, notes, reason, refusal, restore, can_confirm } = row;
  return {
    proposal: { ...toItem(row), ...(row.reads_plan ? { plan, notes, reason, refusal, restore } : hidden), can_confirm },
    tokenId: row.token_id,
  };
}

/** Who proposed it and has lost the right reads its state and dates. */
const hidden = { plan: [], notes: [], reason: null, refusal: null, restore: null };

async function refusalOfProposal(manager: EntityManager, id: string): Promise<AppError> {
  const unknown = new AppError('not_found', 'Cette proposition n’existe pas ou n’existe plus.');
  const [row]: { site_ids: string[] }[] = await manager.query('select site_ids from proposals where id = $1', [id]);
  return row ? refusalFor(manager, 'sites', row.site_ids, unknown) : unknown;
}

/** The name of a token may tell other clients of the person whose it is. */
function seesToken({ user_id: userId }: ProposalRow): boolean {
  const { sub, adminMode } = currentUser();
  return adminMode || userId === sub;
}

const toItem = (row: ProposalRow): ProposalItem => ({
  id: row.id,
  order: row.order,
  state: row.state,
  sites: row.sites,
  lines: row.lines,
  proposed_by: { user_id: row.user_id, name: row.user_name, token: seesToken(row) ? row.token_name : null },
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  seconds_left: row.seconds_left,
  settled_by: row.settled_by_name,
  settled_at: row.settled_at?.toISOString() ?? null,
  job_id: row.job_id,
});
