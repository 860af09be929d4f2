import { z } from 'zod';

// The router reads `?q=12` as a number.
export const text = z.coerce.string().optional().catch(undefined);

/** What is not so is not in the address. */
export const isOn = z.literal(true).optional().catch(undefined);

/** The first needs no word; no list is longer than this, by however few lines a page. */
export const page = z.int().min(2).max(50_000).optional().catch(undefined);

type Sorted<C extends string> = { column: C; isDescending: boolean };

/** By name, unless the address says something that this list is sorted by. */
export const sortedBy = <C extends string>(columns: readonly C[], sort: string | undefined): Sorted<C | 'name'> => {
  const column = columns.find((known) => known === sort?.replace(/^-/, ''));
  return { column: column ?? 'name', isDescending: column !== undefined && sort?.startsWith('-') === true };
};

type SortOf<C extends string> = C | `-${C}` | undefined;

/** The address of a sort; the one that comes by itself has none. */
export const sortBy = <C extends string>(column: C, isDescending: boolean): SortOf<C> =>
  isDescending ? `-${column}` : column === 'name' ? undefined : column;

/** What a list is sorted by: for the heads of its table, and for the choice that stands in for them. */
export const sortingOf = <C extends string>(
  columns: readonly C[],
  labels: Readonly<Record<NoInfer<C> | 'name', string>>,
  sort: string | undefined,
  onChange: (change: { sort: SortOf<NoInfer<C> | 'name'>; page: undefined }) => void,
) => ({
  columns,
  labels,
  sorted: sortedBy(columns, sort),
  onSort: (column: C | 'name', isDescending: boolean) =>
    onChange({ sort: sortBy(column, isDescending), page: undefined }),
});
