import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  createGroup,
  maxGroupDepth,
  deleteGroup,
  editGroup,
  type Group as GroupView,
  listGroups,
  reachesGroups,
} from '@vigie/contracts/groups';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvent } from '../activity/audit-events';
import { owns, visibleOwner } from '../owners/owner-filter';
import {
  type GrantOfRow,
  grantOfRow,
  reachedParent,
  reachesGroup,
  reachingCaller,
  toCallerRole,
  withSharedRole,
} from '../owners/reach';
import { roleTooWeak } from '../owners/role-refusal';
import { lockOwner } from '../owners/owners';
import { findGroup, Group, lockGroupTree, unknownGroup } from './group.entity';
import { emptyGroup, findSitesBelow, groupRefusal, hasIntervals, visitWithinMinute } from './memberships';

@Controller()
export class GroupsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Handles(listGroups)
  async list(): Promise<GroupView[]> {
    return this.views();
  }

  @Handles(createGroup)
  async create(input: Input<typeof createGroup>): Promise<GroupView> {
    const { name, description = null, parent_id: parentId = null, visit_minutes: visitMinutes = null } = input;
    const newId = uuid();
    const id = await this.database.transaction(async (manager) => {
      const ownerId = await lockOwner(manager);
      const existingId = await this.idempotencyKeys.claim(manager, createGroup, input, newId);
      if (existingId !== undefined) return existingId;
      const group = { id: newId, ownerId, name, description, parentId, visitMinutes };
      await lockGroupTree(manager, ownerId);
      await refuseParent(manager, group);
      await manager.insert(Group, group);
      await recordAuditEvent(manager, { type: 'group_create', group });
      return newId;
    });
    return this.view(id);
  }

  @Handles(editGroup)
  async edit({
    id,
    parent_id: parentId,
    visit_minutes: visitMinutes,
    ...plain
  }: Input<typeof editGroup>): Promise<GroupView> {
    await this.database.transaction(async (manager) => {
      const group = await findInLockedTree(manager, id);
      // Only its owner moves a group. Others may not see the group above, which then reads as none.
      const isMoved = parentId !== undefined && (owns(group) || parentId !== (await this.view(id)).parent_id);
      if (isMoved && !owns(group)) throw roleTooWeak('groups');
      if (visitMinutes !== undefined && visitMinutes !== group.visitMinutes && !owns(group))
        throw roleTooWeak('groups');
      const fields = { ...plain, visitMinutes, ...(isMoved && { parentId }) };
      const changes = Object.fromEntries(
        Object.entries(fields).filter(([field, value]) => value !== undefined && value !== group[field as keyof Group]),
      );
      if (Object.keys(changes).length === 0) return;
      const next = { ...toRow(group), ...changes };
      if (next.parentId !== group.parentId) await refuseParent(manager, next);
      await manager.update(Group, { id }, changes);
      if ('visitMinutes' in changes || ('parentId' in changes && (await hasIntervals(manager))))
        await visitWithinMinute(manager, await findSitesBelow(manager, id));
      await recordAuditEvent(manager, { type: 'group_edit', group: next, details: changes });
    });
    return this.view(id);
  }

  @Handles(deleteGroup)
  async delete({ id }: Input<typeof deleteGroup>) {
    await this.database.transaction(async (manager) => {
      await findInLockedTree(manager, id);
      // A transaction that adds a member locks the group before the counts: the same order here avoids a deadlock.
      await manager.query('select from groups where id = $1 for update', [id]);
      const group = await findGroup(manager, id);
      const sites = (await hasIntervals(manager)) ? await findSitesBelow(manager, id) : [];
      // Members leave before the children move, because moving locks the counts.
      await emptyGroup(manager, id);
      await manager.update(Group, { parentId: id }, { parentId: group.parentId });
      await manager.delete(Group, { id });
      await visitWithinMinute(manager, sites);
      await recordAuditEvent(manager, { type: 'group_delete', group });
    });
    return {};
  }

  @Handles(reachesGroups)
  async reaches({ user_id: userId, ids }: Input<typeof reachesGroups>) {
    const [reached]: { count: number }[] = await this.database.query(
      `select count(*)::int from groups where id = any($2::uuid[])
         and ($1::uuid is null or owner_id = $1 or id in (select g from granted_groups($1, 'viewer') g))`,
      [userId, ids],
    );
    return { is_reached: reached?.count === new Set(ids).size };
  }

  private async view(id: string): Promise<GroupView> {
    const [group] = await this.views(id);
    if (!group) throw unknownGroup();
    return group;
  }

  private async views(id?: string): Promise<GroupView[]> {
    const sql = withSharedRole(
      'viewer',
      () => `select g.id, g.name, g.description, ${reachedParent('g', '$1')} as parent_id, g.visit_minutes,
         coalesce(c.sites_count, 0) as "sitesCount", coalesce(c.servers_count, 0) as "serversCount", g.owner_id,
         ${grantOfRow('groups', 'g', '$1')} as grant
       from groups g left join group_counts c on c.group_id = g.id
       where ${reachesGroup('g', '$1')} and ($2::uuid is null or g.id = $2) order by g.name, g.id`,
    );
    const rows: GroupRow[] = await this.database.query(sql, [reachingCaller(), id ?? null]);
    return rows.map(({ owner_id: ownerId, grant, ...group }) => ({
      ...group,
      // Servers are never shared.
      ...(grant && { serversCount: 0 }),
      ...toCallerRole(grant),
      ...visibleOwner(ownerId),
    }));
  }
}

type GroupRow = GroupView & { owner_id: string; grant: GrantOfRow | null };

const toRow = ({ id, ownerId, name, description, parentId, visitMinutes }: Group) => ({
  id,
  ownerId,
  name,
  description,
  parentId,
  visitMinutes,
});

/** Locks the tree of the group's owner, who may become another one before the lock. */
async function findInLockedTree(manager: EntityManager, id: string): Promise<Group> {
  const { ownerId } = await findGroup(manager, id);
  await lockGroupTree(manager, ownerId);
  const group = await findGroup(manager, id);
  if (group.ownerId !== ownerId) throw unknownGroup();
  return group;
}

async function refuseParent(manager: EntityManager, { id, ownerId, parentId }: Group): Promise<void> {
  if (parentId === null) return;
  const [tree]: { depth: number; is_own: boolean; is_known: boolean }[] = await manager.query(
    `with recursive above (id, parent_id, depth) as (
       select id, parent_id, 1 from groups where id = $2 and owner_id = $3
       union all select g.id, g.parent_id, depth + 1 from groups g join above a on g.id = a.parent_id where depth < 100
     ), below (id, depth) as (
       select $1::uuid, 1
       union all select g.id, depth + 1 from groups g join below b on g.parent_id = b.id where depth < 100
     )
     select (select coalesce(max(depth), 0) from above)::int + (select max(depth) from below)::int as depth,
       exists (select from above where id = $1) as is_own, exists (select from above) as is_known`,
    [id, parentId, ownerId],
  );
  if (!tree?.is_known) throw await groupRefusal(manager, [parentId], ownerId);
  if (tree.is_own) throw new AppError('conflict', 'Un groupe ne peut être ni son propre parent, ni sous lui-même.');
  if (tree.depth > maxGroupDepth) {
    throw new AppError('invalid', `Les groupes s’emboîtent sur ${maxGroupDepth}\u00a0niveaux au plus.`);
  }
}
