import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInAudit, recordInFeed } from '../activity/audit-events';
import { changedLines } from './find-proposals';

type Action = 'proposal_create' | 'proposal_confirm' | 'proposal_refuse' | 'proposal_reject';

type Row = { order: string; user_id: string; user_name: string; token_name: string | null };
type SiteRow = { id: string; name: string; owner_id: string };

/** Writes to the audit who did what with a proposal, and by whom it came; and to the feed of each site that it would change. */
export async function recordProposal(
  manager: EntityManager,
  id: string,
  action: Action,
  { refusal, ...details }: { refusal?: string | null; [name: string]: unknown } = {},
): Promise<void> {
  const [row]: Row[] = await manager.query(
    'select "order", user_id, user_name, token_name from proposals where id = $1',
    [id],
  );
  if (!row) throw new Error('a proposal that is recorded is stored');
  const { order, user_id: userId, user_name: user, token_name: token } = row;
  const audited = { proposed_by: { user, token }, ...(refusal !== undefined && { refusal }), ...details };
  await recordInAudit(manager, [{ action, target: order, targetId: id, details: audited }]);
  const sites: SiteRow[] = await manager.query(
    `select s.id, s.name, s.owner_id from sites s where s.id in (
       select (l ->> 'site_id')::uuid from proposals p cross join lateral ${changedLines} and p.id = $1) order by s.id`,
    [id],
  );
  // A refusal may name any of the sites, and the name of a token its owner's other clients.
  const shownTo = (ownerId: string) => ({
    proposal_id: id,
    order,
    ...(action === 'proposal_create' && token !== null && ownerId === userId && { token }),
    ...(typeof refusal === 'string' && { state: 'failed', ...(sites.length === 1 && { reason: refusal }) }),
  });
  const batchId = uuid();
  await recordInFeed(
    manager,
    sites.map(({ owner_id: ownerId, ...site }) => ({
      type: action,
      site: { ...site, ownerId },
      batchId,
      details: shownTo(ownerId),
    })),
  );
}
