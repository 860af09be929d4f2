import type { DnsZone as DnsZoneView } from '@vigie/contracts/dns-zones';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderZone } from '../providers/provider';

export type ZoneRef = Pick<DnsZoneView, 'ref' | 'config_name'>;
type ZoneDetails = Pick<
  ProviderZone,
  'paused' | 'type' | 'name_servers' | 'original_name_servers' | 'plan' | 'account_name'
>;

/** A zone as one configuration last read it. */
@Entity('zones')
export class DnsZone {
  @PrimaryColumn('uuid', { name: 'config_id' })
  configId!: string;

  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'display_name' })
  displayName!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt!: Date | null;

  @Column('jsonb', { name: 'facts' })
  details!: ZoneDetails;

  @Column('timestamptz', { name: 'looked_at', nullable: true })
  readAt!: Date | null;
}

export type LinkedSite = { id: string; name: string | null };

export const toZone = (zone: DnsZone, site: LinkedSite | null, { ref, config_name }: ZoneRef): DnsZoneView => ({
  id: zone.id,
  ref,
  config_name,
  name: zone.name,
  display_name: zone.displayName,
  status: zone.status,
  ...zone.details,
  total_mappings: site === null ? 0 : 1,
  has_mappings: site !== null,
  site_id: site?.id ?? null,
  site_name: site?.name ?? null,
  created_at: zone.createdAt?.toISOString() ?? null,
});
