import { Column, Entity, PrimaryColumn } from 'typeorm';

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
}
