import type { SiteColumn, SiteView as View } from '@vigie/contracts/site-views';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('site_views')
export class SiteView {
  @PrimaryColumn('uuid')
  id!: string;

  /** Nobody else sees the view, even in the admin mode. */
  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  q!: string;

  @Column('uuid', { name: 'group_id', nullable: true })
  groupId!: string | null;

  @Column('uuid', { name: 'server_id', nullable: true })
  serverId!: string | null;

  @Column('text', { nullable: true })
  status!: View['status'];

  @Column('text')
  sort!: View['sort'];

  @Column('text', { array: true })
  columns!: SiteColumn[];
}

export const toView = ({ id, name, q, groupId, serverId, status, sort, columns }: SiteView): View => ({
  id,
  name,
  q,
  group_id: groupId,
  server_id: serverId,
  status,
  sort,
  columns,
});

type ViewSettings = Omit<View, 'id' | 'name'>;

export const toColumns = ({ group_id: groupId, server_id: serverId, ...settings }: ViewSettings) => ({
  ...settings,
  groupId,
  serverId,
});
