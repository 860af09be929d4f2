import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import type { EntityManager } from 'typeorm';
import { auditDoing } from '../doings';
import { auditUnverified } from '../records/record-doings';
import { Intent } from './intent.entity';

/** What could not be looked up for so long never will be: a right was lost, and nobody gave it back. */
export const keptDays = 7;

/**
 * Ends what is still open. An auditor hears of it all the same, though nobody can say any more what came of it. One that
 * somebody settled meanwhile is known.
 */
export async function endUnverified(
  audited: Pick<AuditedTransaction, 'audit'>,
  manager: EntityManager,
  intents: readonly Intent[],
): Promise<void> {
  for (const { id, zoneId, zoneName, planned, reason, actor } of intents) {
    const { affected } = await manager.delete(Intent, { id });
    if (!affected) continue;
    if (zoneId !== null) {
      await auditUnverified(audited, { id: zoneId, name: zoneName }, { reason: reason ?? 'write', planned, actor });
    } else {
      const told = { target: zoneName, targetId: zoneName, actor, details: { unverified: true } };
      await auditDoing(audited, { action: 'zone_create', result: 'refused', ...told });
    }
  }
}

/** Before a configuration is deleted, and they with it. */
export const openOf = (manager: EntityManager, configId: string): Promise<Intent[]> =>
  manager.find(Intent, { where: { configId }, order: { id: 'asc' } });
