import type { DnsSnapshot as DnsSnapshotView, snapshotReasons } from '@vigie/contracts/dns-history';
import type { ChangeCounts } from '@vigie/contracts/dns-records';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderRecord } from '../providers/provider';

export type SnapshotReason = (typeof snapshotReasons)[number];

/** A state of a zone, recorded after a change by Vigie or when a read found a change. Its ids grow with time. */
@Entity('snapshots')
export class DnsSnapshot {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'config_id' })
  configId!: string;

  @Column('text', { name: 'zone_id' })
  zoneId!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  reason!: SnapshotReason;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('text', { name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column('jsonb')
  counts!: ChangeCounts;

  @Column('int')
  total!: number;

  @Column('text')
  version!: string;

  @Column('boolean', { name: 'is_drift' })
  isDrift!: boolean;

  /** Excluded by default, since large zones have thousands of records. */
  @Column('jsonb', { select: false })
  records!: ProviderRecord[];
}

export const toSnapshot = (snapshot: DnsSnapshot): DnsSnapshotView => ({
  id: snapshot.id,
  at: snapshot.at.toISOString(),
  reason: snapshot.reason,
  actor_name: snapshot.actorName,
  counts: snapshot.counts,
  total: snapshot.total,
  is_drift: snapshot.isDrift,
  version: snapshot.version,
});
