import type { EntityManager } from 'typeorm';
import { slotSql } from '../visit-history/rings';
import { stateCodes } from '../visit-history/samples';
import { type Checks, openSubject, vigieId } from './conditions';

export type NetworkReport = 'up' | 'down' | null;

export const networkChecks: Checks = { kind: 'network', subjectKind: 'vigie', seconds: 60 };
export const networkFailure = { id: vigieId, evidence: { code: null, reason: null, ends_at: null } };

/** Stores what an agent found out about its own network. */
export async function saveNetwork(manager: EntityManager, network: NetworkReport): Promise<void> {
  if (network === null) return;
  const column = network === 'up' ? 'up_at' : 'down_at';
  await manager.query(
    `insert into network_state as n (${column}) values (now())
     on conflict (id) do update set ${column} = now()
     where n.${column} is null or n.${column} < now() - interval '10 seconds'`,
  );
}

/** SQL condition: the canaries answered within a week. An installation without the Internet has none that does. */
const hasCanaries = "up_at > now() - interval '7 days'";

/**
 * Whether the agent of this report may be cut off alone: another one, or itself a moment ago, reached the canaries. Agents
 * ask them every five minutes at least.
 */
export async function isAgentCut(manager: EntityManager, network: NetworkReport): Promise<boolean> {
  if (network !== 'down') return false;
  const rows: unknown[] = await manager.query("select from network_state where up_at > now() - interval '6 minutes'");
  return rows.length > 0;
}

/**
 * Whether what Vigie cannot reach says more about Vigie than about others: its agents reach nobody, and more than a third of
 * the sites that were checked in the last minutes do not answer.
 */
export async function isBlind(manager: EntityManager): Promise<boolean> {
  const [state]: { is_down: boolean }[] = await manager.query(
    `select ${hasCanaries} and down_at > up_at and down_at > now() - interval '3 minutes' as is_down from network_state`,
  );
  return state?.is_down === true && isMostUnanswered(manager);
}

/**
 * Of sites that are visited rarely, a failing one is visited each minute, of which few visits are kept. One that failed before
 * the canaries did says nothing about Vigie.
 */
async function isMostUnanswered(manager: EntityManager): Promise<boolean> {
  const [counts]: { is_most: boolean }[] = await manager.query(
    `select 3 * count(*) filter (where is_silent) > count(*) as is_most from (
       select distinct on (site_id) is_silent from (
         select site_id, at, code = 0 as is_silent from visit_samples
         where at > now() - interval '3 minutes' and state <> ${stateCodes.excused}
           and slot in (${slotSql('visit_samples', 'now()')}, ${slotSql('visit_samples', "now() - interval '3 minutes'")})
         union all
         select subject_id, checked_at, (evidence ->> 'code')::int = 0 from conditions
         where kind = 'outage' and subject_kind = 'site' and successes = 0 and checked_at > now() - interval '3 minutes'
           and since > (select up_at - interval '3 minutes' from network_state)) seen
       order by site_id, at desc) last`,
  );
  return counts?.is_most ?? false;
}

/** Whether an incident about Vigie's own network is open, or about to be. */
export async function isNetworkSuspect(manager: EntityManager): Promise<boolean> {
  const [found]: { is_suspect: boolean }[] = await manager.query(
    `select exists (select from conditions where subject_id = c.subject_id and kind = c.kind) or exists (${openSubject('c')})
       as is_suspect
     from (select $1::uuid as subject_id, $2::text as kind) c`,
    [vigieId, networkChecks.kind],
  );
  return found?.is_suspect ?? false;
}
