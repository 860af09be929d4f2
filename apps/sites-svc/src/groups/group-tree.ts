import { createGroup, maxGroupDepth } from '@vigie/contracts/groups';
import { foldText } from '@vigie/contracts/search-text';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvents } from '../activity/audit-events';
import { reachedParent, reachesGroup, reachingCaller } from '../owners/reach';
import { Group } from './group.entity';

type Node = Pick<Group, 'id' | 'name' | 'parentId'>;
/** What a path leads to: its last group that exists, and the names below it that do not. */
export type GroupMatch = { group: Node | null; missing: readonly string[] };

/** The names of these groups and of those above each that the caller sees, from the top. */
export async function pathsOf(manager: EntityManager, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows: { id: string; names: string[] }[] = await manager.query(
    `with recursive up (id, parent_id, names) as (
       select g.id, ${reachedParent('g', '$2')}, array[g.name::text collate "default"]
       from groups g where g.id = any($1::uuid[]) and ${reachesGroup('g', '$2')}
       union all
       select up.id, ${reachedParent('g', '$2')}, array[g.name::text collate "default"] || up.names
       from up join groups g on g.id = up.parent_id where cardinality(up.names) < 100)
     select id, names from up where parent_id is null`,
    [ids, reachingCaller()],
  );
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/** The groups of one owner, found by their names whatever their case and accents. */
export class GroupTree {
  private readonly created: Group[] = [];
  private readonly byId = new Map<string, Node>();
  private readonly byName = new Map<string, Node[]>();

  private constructor(
    private readonly ownerId: string,
    groups: readonly Node[],
  ) {
    for (const group of groups) this.remember(group);
  }

  static async read(manager: EntityManager, ownerId: string): Promise<GroupTree> {
    const select = { id: true, name: true, parentId: true } as const;
    return new GroupTree(ownerId, await manager.find(Group, { where: { ownerId }, select, order: { id: 'ASC' } }));
  }

  private remember(group: Node): void {
    this.byId.set(group.id, group);
    this.byName.set(foldText(group.name), [...this.called(group.name), group]);
  }

  private called(name: string): readonly Node[] {
    return this.byName.get(foldText(name)) ?? [];
  }

  /** A name alone may be that of any group. A text says in French why the path is refused. */
  match(path: readonly string[]): GroupMatch | string {
    const [name = ''] = path;
    if (path.length > maxGroupDepth) return `les groupes s’emboîtent sur ${maxGroupDepth}\u00a0niveaux au plus.`;
    const match = this.walk(path);
    if (path.length === 1 && !match.group) {
      const [deeper, ...others] = this.called(name);
      if (others.length > 0)
        return `plusieurs groupes s’appellent «\u00a0${name}\u00a0»\u00a0: donnez le chemin entier, comme Clients › ${name}.`;
      if (deeper) return { group: deeper, missing: [] };
    }
    const refused = match.missing.map((text) => createGroup.input.shape.name.safeParse(text).error?.issues[0]?.message);
    return refused.find((message) => message !== undefined) ?? match;
  }

  private walk(path: readonly string[]): GroupMatch {
    let group: Node | null = null;
    for (const [at, name] of path.entries()) {
      const siblings = this.called(name).filter(({ parentId }) => parentId === (group?.id ?? null));
      const next = siblings.find((other) => other.name === name) ?? siblings[0];
      if (!next) return { group, missing: path.slice(at) };
      group = next;
    }
    return { group, missing: [] };
  }

  /** The names on the way to a group, from the top. */
  pathTo(group: Node | null): string[] {
    if (!group) return [];
    return [...this.pathTo(this.byId.get(group.parentId ?? '') ?? null), group.name];
  }

  /** The id of the group of a match, which is created unless an earlier call did. */
  add(path: readonly string[]): string {
    const match = this.match(path);
    if (typeof match === 'string') throw new Error(match);
    let { group } = match;
    for (const name of match.missing) {
      const made: Group = {
        id: uuid(),
        ownerId: this.ownerId,
        name,
        description: null,
        parentId: group?.id ?? null,
        visitMinutes: null,
      };
      this.created.push(made);
      this.remember(made);
      group = made;
    }
    return group?.id ?? '';
  }

  /** Writes the groups that `add` made, those above before those below. */
  async save(manager: EntityManager): Promise<void> {
    if (this.created.length === 0) return;
    await manager.insert(Group, this.created);
    await recordAuditEvents(
      manager,
      this.created.map((group) => ({ type: 'group_create', group })),
    );
  }
}
