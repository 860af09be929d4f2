import type { EntityManager } from 'typeorm';
import { checkSeconds } from '../sweeps/schedule';
import { type Checks, isRecent, vigieId } from './conditions';

export type NetworkReport = 'up' | 'down' | null;

export const networkChecks: Checks = { kind: 'network', subjectKind: 'vigie', seconds: 60 };
export const networkFailure = { id: vigieId, evidence: { code: null, reason: null, ends_at: null } };

/** Stores what an agent found out about its own network. */
export async function saveNetwork(manager: EntityManager, network: NetworkReport): Promise<void> {
  if (network === null) return;
  await manager.query(
    `insert into network_state as n (is_up, at) values ($1, now())
     on conflict (id) do update set is_up = excluded.is_up, at = excluded.at
     where n.is_up <> excluded.is_up or n.at < now() - interval '15 seconds'`,
    [network === 'up'],
  );
}

/**
 * Whether what Vigie cannot reach says more about Vigie than about others: its agents reach nobody, and more than a third of
 * all sites do not answer at once.
 */
export async function isBlind(manager: EntityManager): Promise<boolean> {
  const [state]: { is_down: boolean }[] = await manager.query(
    "select not is_up and at > now() - interval '3 minutes' as is_down from network_state",
  );
  if (!state?.is_down) return false;
  const [counts]: { is_most: boolean }[] = await manager.query(
    `select 3 * (select count(*) from conditions c where c.subject_kind = 'site' and c.kind = 'outage' and c.failures > 0
       and c.evidence ->> 'code' = '0' and ${isRecent('c.checked_at', '$1')}) > (select count(*) from sites) as is_most`,
    [checkSeconds('site-visit')],
  );
  return counts?.is_most ?? false;
}

/** Whether an incident about Vigie's own network waits for its end. */
export async function isNetworkSuspect(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query('select from conditions where subject_id = $1 and kind = $2', [
    vigieId,
    networkChecks.kind,
  ]);
  return rows.length > 0;
}
