import { deepestGroup, type Group } from '@vigie/contracts/groups';
import { foldText } from '@vigie/contracts/search-text';

/** Groups hold what is of their own owner; where nobody is named all that is shown is one's own. */
export const isOf = ({ owner_id: owner }: Pick<Group, 'owner_id'>, wanted: string | undefined): boolean =>
  owner === undefined || owner === wanted;

type Placed = Pick<Group, 'id' | 'name' | 'parent_id'>;
/** A group in its tree: `depth` 0 is a root. */
export type Node<G extends Placed> = { group: G; depth: number; children: readonly Node<G>[] };

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** By name under their parents; one whose parent is not shown is a root. */
export function treeOf<G extends Placed>(groups: readonly G[]): Node<G>[] {
  const known = new Set(groups.map(({ id }) => id));
  const below = new Map<string | null, G[]>();
  for (const group of groups) {
    const parent = group.parent_id !== null && known.has(group.parent_id) ? group.parent_id : null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(group);
    else below.set(parent, [group]);
  }
  const nodesOf = (parent: string | null, depth: number): Node<G>[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(a.name, b.name))
      .map((group) => ({ group, depth, children: nodesOf(group.id, depth + 1) }));
  return nodesOf(null, 0);
}

/** Line by line; those below a closed one are left out. */
export const linesOf = <G extends Placed>(
  nodes: readonly Node<G>[],
  isClosed: (id: string) => boolean = () => false,
): Node<G>[] => nodes.flatMap((node) => [node, ...(isClosed(node.group.id) ? [] : linesOf(node.children, isClosed))]);

const heightOf = (node: Node<Placed>): number => 1 + Math.max(0, ...node.children.map(heightOf));

/** Those that a group may be put under: not itself, nothing below it, and no deeper than a tree may be. */
export function parentsOf<G extends Placed>(groups: readonly G[], moved: string | undefined): Node<G>[] {
  const tree = treeOf(groups);
  const own = linesOf(tree).find(({ group }) => group.id === moved);
  const height = own ? heightOf(own) : 1;
  return linesOf(tree, (id) => id === moved).filter(
    ({ group, depth }) => group.id !== moved && depth + 1 + height <= deepestGroup,
  );
}

/** The names on the way to a group, its own last. */
export function pathTo(groups: ReadonlyMap<string, Placed>, id: string): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  let at = groups.get(id);
  while (at && !seen.has(at.id)) {
    seen.add(at.id);
    names.unshift(at.name);
    at = groups.get(at.parent_id ?? '');
  }
  return names;
}

/** Those whose name holds what is searched, with the way to them. */
export function matching<G extends Placed>(groups: readonly G[], q: string): readonly G[] {
  const text = foldText(q.trim());
  if (text === '') return groups;
  const shown = new Set<string>();
  for (const { id, name } of groups) {
    if (!foldText(name).includes(text)) continue;
    let at: string | null = id;
    while (at !== null && !shown.has(at)) {
      shown.add(at);
      const current: string = at;
      at = groups.find((group) => group.id === current)?.parent_id ?? null;
    }
  }
  return groups.filter(({ id }) => shown.has(id));
}
