import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('links')
export class Link {
  @PrimaryColumn('uuid', { name: 'site_id' })
  siteId!: string;

  @Column('uuid', { name: 'config_id' })
  configId!: string;

  @Column('text', { name: 'zone_id' })
  zoneId!: string;

  @Column('text', { name: 'zone_name' })
  zoneName!: string;

  @Column('boolean', { name: 'auto_sync' })
  autoSync!: boolean;

  @Column('timestamptz', { name: 'linked_at' })
  linkedAt!: Date;
}

/** SQL condition on a zone `z` without a link. */
export const hasNoLink = 'not exists (select from links l where l.config_id = z.config_id and l.zone_id = z.id)';
