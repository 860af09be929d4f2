import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import type { EntityManager } from 'typeorm';
import { auditDoing } from '../doings';
import { auditUnverified } from '../records/record-doings';
import { Intent } from './intent.entity';

/** A write that could not be verified for this many days never will be: the rights were lost for good. */
export const keptDays = 7;

/** Deletes pending writes and audits that their outcome is unknown. Skips the ones that were settled meanwhile. */
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

export const openOf = (manager: EntityManager, configId: string): Promise<Intent[]> =>
  manager.find(Intent, { where: { configId }, order: { id: 'asc' } });
