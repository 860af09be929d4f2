import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { lockDeletion } from '../deletions';

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

/** Drops the link of a site to a zone of somebody else than its owner. */
export async function dropForeignLink(manager: EntityManager, siteId: string, ownerId: string): Promise<void> {
  await lockDeletion(manager, siteId);
  await manager.query(
    'delete from links l using configs c where l.site_id = $1 and c.id = l.config_id and c.owner_id <> $2',
    [siteId, ownerId],
  );
}
