import type { PlannedChange } from './plan';

type Group<T> = { names: Set<string>; members: T[] };

const order = { delete: 0, edit: 1, create: 2, none: 3 } as const;

/**
 * Splits changes into batches of `size`. The changes of one name stay together, so that a name never loses its record
 * between two batches; only a name with more than `max` changes is split.
 */
export function batchesOf<T extends PlannedChange>(planned: readonly T[], size: number, max = size): T[][] {
  const batches: T[][] = [];
  for (const group of groupsOf(planned)) {
    const last = batches.at(-1);
    if (last && last.length + group.length <= size) last.push(...group);
    else for (let from = 0; from < group.length; from += max) batches.push(group.slice(from, from + max));
  }
  return batches;
}

/** Groups changes by name, and by the names between which a record moves; deletions come first. */
function groupsOf<T extends PlannedChange>(planned: readonly T[]): T[][] {
  const groups = new Map<string, Group<T>>();
  for (const each of planned) {
    const names = namesOf(each);
    const [group = { names: new Set<string>(), members: [] }, ...others] = new Set(
      names.flatMap((name) => groups.get(name) ?? []),
    );
    for (const other of others) {
      group.members.push(...other.members);
      for (const name of other.names) group.names.add(name);
    }
    for (const name of names) group.names.add(name);
    for (const name of group.names) groups.set(name, group);
    group.members.push(each);
  }
  return [...new Set(groups.values())].map(({ members }) =>
    members.toSorted((a, b) => order[a.difference.action] - order[b.difference.action]),
  );
}

const namesOf = ({ difference: { before, after } }: PlannedChange): string[] =>
  [before, after].flatMap((record) => (record ? [record.name] : []));
