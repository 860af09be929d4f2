import { AppError } from '@vigie/contracts/errors';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { reachesGroup, reachingCaller } from '../owners/reach';
import { refusalFor } from '../owners/role-refusal';

@Entity('groups')
export class Group {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  /** How often its sites are visited. */
  @Column('smallint', { name: 'visit_minutes', nullable: true })
  visitMinutes!: number | null;
}

export const unknownGroup = () => new AppError('not_found', 'Ce groupe n’existe pas ou n’existe plus.');

export const findGroup = (manager: EntityManager, id: string): Promise<Group> => readGroup(manager, id, false);

/** Keeps the group and its owner until the transaction ends, for sites that are put into it. */
export const keepGroup = (manager: EntityManager, id: string): Promise<Group> => readGroup(manager, id, true);

async function readGroup(manager: EntityManager, id: string, isLocked: boolean): Promise<Group> {
  const query = manager
    .createQueryBuilder(Group, 'g')
    .where(reachesGroup('g', 'cast(:caller as uuid)'), { caller: reachingCaller() })
    .andWhere('g.id = :id', { id });
  const group = await (isLocked ? query.setLock('for_key_share') : query).getOne();
  if (!group) throw await refusalFor(manager, 'groups', [id], unknownGroup());
  return group;
}

/** Two groups moved at the same time could each end up below the other. */
export const lockGroupTree = (manager: EntityManager, ownerId: string) =>
  manager.query("select pg_advisory_xact_lock(hashtext(current_schema() || '.groups.' || $1))", [ownerId]);
