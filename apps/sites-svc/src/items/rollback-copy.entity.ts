import type { ItemKind } from '@vigie/contracts/changes';
import { Column, Entity, type EntityManager, MoreThan, PrimaryColumn } from 'typeorm';

const keptDays = 7;
const dayMs = 86_400_000;

/** The newest copy of an item's previous version, on the site's host. */
@Entity('asides')
export class RollbackCopy {
  /** The id of the job that made the copy. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'site_id' })
  siteId!: string;

  @Column('text')
  kind!: ItemKind;

  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  version!: string | null;

  @Column('bigint')
  bytes!: string;

  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;

  /** Whether the copy includes the site's tables. */
  @Column('boolean', { name: 'has_tables' })
  hasTables!: boolean;
}

export const findRollbackCopy = (manager: EntityManager, item: Pick<RollbackCopy, 'siteId' | 'kind' | 'slug'>) =>
  manager.findOneBy(RollbackCopy, { ...item, madeAt: MoreThan(new Date(Date.now() - keptDays * dayMs)) });

/** SQL for the copy that an item can return to; the arguments are SQL expressions. */
export const rollbackCopySql = (siteId: string, kind: string, slug: string) =>
  `(select jsonb_build_object('version', a.version, 'has_tables', a.has_tables,
       'made_at', to_char(a.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     from asides a where (a.site_id, a.kind, a.slug) = (${siteId}, ${kind}, ${slug})
       and a.made_at > now() - interval '${keptDays} days')`;

/** The copies themselves are deleted on the hosts. */
export const deleteOldRollbackCopies = (manager: EntityManager) =>
  manager.query('delete from asides where made_at < now() - make_interval(days => $1)', [keptDays]);
