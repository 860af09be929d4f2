import type { EntityManager } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';

type Action = 'proposal_create' | 'proposal_confirm' | 'proposal_refuse' | 'proposal_reject';

/** Writes to the audit who did what with a proposal, and by whom it came. */
export async function recordProposal(
  manager: EntityManager,
  id: string,
  action: Action,
  details: Record<string, unknown> = {},
): Promise<void> {
  const [row]: { order: string; user_name: string; token_name: string | null }[] = await manager.query(
    'select "order", user_name, token_name from proposals where id = $1',
    [id],
  );
  const proposedBy = { user: row?.user_name, token: row?.token_name };
  await recordInAudit(manager, [
    { action, target: row?.order ?? null, targetId: id, details: { proposed_by: proposedBy, ...details } },
  ]);
}
