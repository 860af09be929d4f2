import { maxGroupDepth, type Group } from '@vigie/contracts/groups';
import { foldText } from '@vigie/contracts/search-text';

/** A group only holds sites and servers of its own owner. Without an owner, the group is the user's own. */
export const isOwnedBy = ({ owner_id: owner }: Pick<Group, 'owner_id'>, ownerId: string | undefined): boolean =>
  owner === undefined || owner === ownerId;

type TreeGroup = Pick<Group, 'id' | 'name' | 'parent_id'>;
/** A group in its tree: `depth` 0 is a root. */
export type Node<G extends TreeGroup> = { group: G; depth: number; children: readonly Node<G>[] };

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** Sorts groups by name under their parents; a group whose parent is missing becomes a root. */
export function treeOf<G extends TreeGroup>(groups: readonly G[]): Node<G>[] {
  const ids = new Set(groups.map(({ id }) => id));
  const childrenOf = new Map<string | null, G[]>();
  for (const group of groups) {
    const parent = group.parent_id !== null && ids.has(group.parent_id) ? group.parent_id : null;
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(group);
    else childrenOf.set(parent, [group]);
  }
  const nodesOf = (parent: string | null, depth: number): Node<G>[] =>
    (childrenOf.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(a.name, b.name))
      .map((group) => ({ group, depth, children: nodesOf(group.id, depth + 1) }));
  return nodesOf(null, 0);
}

/** Flattens the tree into lines, without the subgroups of closed groups. */
export const linesOf = <G extends TreeGroup>(
  nodes: readonly Node<G>[],
  isClosed: (id: string) => boolean = () => false,
): Node<G>[] => nodes.flatMap((node) => [node, ...(isClosed(node.group.id) ? [] : linesOf(node.children, isClosed))]);

const heightOf = (node: Node<TreeGroup>): number => 1 + Math.max(0, ...node.children.map(heightOf));

/** The possible parents of a group: not itself, not its subgroups, and none that makes the tree too deep. */
export function parentsOf<G extends TreeGroup>(groups: readonly G[], moved: string | undefined): Node<G>[] {
  const tree = treeOf(groups);
  const movedNode = linesOf(tree).find(({ group }) => group.id === moved);
  const height = movedNode ? heightOf(movedNode) : 1;
  return linesOf(tree, (id) => id === moved).filter(
    ({ group, depth }) => group.id !== moved && depth + 1 + height <= maxGroupDepth,
  );
}

/** The names of a group's ancestors and of the group itself, from the root down. */
export function pathTo(groups: ReadonlyMap<string, TreeGroup>, id: string): string[] {
  const names: string[] = [];
  const visited = new Set<string>();
  let at = groups.get(id);
  while (at && !visited.has(at.id)) {
    visited.add(at.id);
    names.unshift(at.name);
    at = groups.get(at.parent_id ?? '');
  }
  return names;
}

/** The groups whose name contains the query, with their ancestors. */
export function filterGroups<G extends TreeGroup>(groups: readonly G[], q: string): readonly G[] {
  const text = foldText(q.trim());
  if (text === '') return groups;
  const keptIds = new Set<string>();
  for (const { id, name } of groups) {
    if (!foldText(name).includes(text)) continue;
    let at: string | null = id;
    while (at !== null && !keptIds.has(at)) {
      keptIds.add(at);
      const current: string = at;
      at = groups.find((group) => group.id === current)?.parent_id ?? null;
    }
  }
  return groups.filter(({ id }) => keptIds.has(id));
}
