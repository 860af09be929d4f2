import type { Claim } from '@vigie/service-kit/idempotency-keys';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../audit-events';
import type { SnapshotReason } from '../history/snapshot.entity';
import type { PlannedChange } from '../records/plan';

/** A write to the provider whose outcome is not recorded yet. The row outlives a process that dies. */
@Entity('intents')
export class PendingWrite {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'config_id' })
  configId!: string;

  /** Null while the zone is being created. */
  @Column('text', { name: 'zone_id', nullable: true })
  zoneId!: string | null;

  @Column('text', { name: 'zone_name' })
  zoneName!: string;

  @Column('text', { nullable: true })
  reason!: SnapshotReason | null;

  /** Snapshot of the zone that the write was planned on. */
  @Column('uuid', { name: 'before_id', nullable: true })
  beforeId!: string | null;

  @Column('jsonb')
  planned!: PlannedChange[];

  @Column('jsonb')
  actor!: Actor;

  /** The request’s `Idempotency-Key`: a repeated request is answered with the created record. */
  @Column('jsonb', { nullable: true })
  claim!: Claim | null;

  /** Ids that other writes created meanwhile, which cannot be the effect of this one. */
  @Column('jsonb', { name: 'known' })
  othersCreated!: string[];

  @Column('timestamptz')
  at!: Date;
}

/** The provider may apply an unanswered write for this long; a missing record proves nothing before. */
const mayApplyMs = 60_000;

export const mayStillApply = ({ at }: Pick<PendingWrite, 'at'>): boolean => Date.now() - at.getTime() < mayApplyMs;
