import type { ActivityType } from '@vigie/contracts/activity';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';

const keptDays = 365;
const maxDeleted = 5_000;

@Entity('activity')
export class Activity {
  /** The id of the outbox event that brought the line from another service, so that a repeated event is stored once. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  type!: ActivityType;

  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId!: string | null;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('text', { name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column('uuid', { name: 'job_id', nullable: true })
  jobId!: string | null;

  @Column('uuid', { name: 'batch_id', nullable: true })
  batchId!: string | null;

  @Column('uuid', { name: 'site_id', nullable: true })
  siteId!: string | null;

  @Column('text', { name: 'site_name', nullable: true })
  siteName!: string | null;

  @Column('uuid', { name: 'server_id', nullable: true })
  serverId!: string | null;

  @Column('text', { name: 'server_name', nullable: true })
  serverName!: string | null;

  @Column('jsonb')
  details!: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

export const deleteOldActivity = (manager: EntityManager) =>
  manager.query(
    `delete from activity where id in (
       select id from activity where created_at < now() - make_interval(days => $1) order by created_at limit $2)`,
    [keptDays, maxDeleted],
  );
