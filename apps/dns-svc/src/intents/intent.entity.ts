import type { Claim } from '@vigie/service-kit/idempotency-keys';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../doings';
import type { SnapshotReason } from '../history/snapshot.entity';
import type { Planned } from '../records/plan';

/** What the provider was about to be asked: there until what came of it is noted, whoever dies in between. */
@Entity('intents')
export class Intent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'config_id' })
  configId!: string;

  /** Null for a zone that is being made. */
  @Column('text', { name: 'zone_id', nullable: true })
  zoneId!: string | null;

  @Column('text', { name: 'zone_name' })
  zoneName!: string;

  @Column('text', { nullable: true })
  reason!: SnapshotReason | null;

  /** The state of the zone that it was planned by. */
  @Column('uuid', { name: 'before_id', nullable: true })
  beforeId!: string | null;

  @Column('jsonb')
  planned!: Planned[];

  @Column('jsonb')
  actor!: Actor;

  /** Of the request's `Idempotency-Key`: asked again, it answers with what was made. */
  @Column('jsonb', { nullable: true })
  claim!: Claim | null;

  /** Ids that were noted as made meanwhile, by others: none of them is what came of this. */
  @Column('jsonb')
  known!: string[];

  @Column('timestamptz')
  at!: Date;
}

/** What got no answer may still be done for so long: until then, what is not there is not undone. */
const settlesAfterMs = 60_000;

export const isYoung = ({ at }: Pick<Intent, 'at'>): boolean => Date.now() - at.getTime() < settlesAfterMs;
