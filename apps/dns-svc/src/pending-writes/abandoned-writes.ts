import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import type { EntityManager } from 'typeorm';
import { auditAction } from '../audit-events';
import { auditUnverified } from '../records/record-audit-events';
import { PendingWrite } from './pending-write.entity';

/** A write that could not be verified for this many days never will be: the rights were lost for good. */
export const retentionDays = 7;

/** Deletes pending writes and audits that their outcome is unknown. Skips the ones that were settled meanwhile. */
export async function abandonWrites(
  transaction: Pick<AuditedTransaction, 'audit'>,
  manager: EntityManager,
  pendingWrites: readonly PendingWrite[],
): Promise<void> {
  for (const { id, zoneId, zoneName, planned, reason, actor } of pendingWrites) {
    const { affected } = await manager.delete(PendingWrite, { id });
    if (!affected) continue;
    if (zoneId !== null) {
      await auditUnverified(transaction, { id: zoneId, name: zoneName }, { reason: reason ?? 'write', planned, actor });
    } else {
      const event = { target: zoneName, targetId: zoneName, actor, details: { unverified: true } };
      await auditAction(transaction, { action: 'zone_create', result: 'refused', ...event });
    }
  }
}

export const pendingWritesOf = (manager: EntityManager, configId: string): Promise<PendingWrite[]> =>
  manager.find(PendingWrite, { where: { configId }, order: { id: 'asc' } });
