import { z } from 'zod';

// The router reads `?q=12` as a number.
export const text = z.coerce.string().optional().catch(undefined);

/** A flag is `true` in the address, or absent. */
export const flag = z.literal(true).optional().catch(undefined);

/** The first page has no number in the address; 50,000 exceeds the pages of any list. */
export const page = z.int().min(2).max(50_000).optional().catch(undefined);

type Sort<C extends string> = { column: C; isDescending: boolean };

/** Lists are sorted by name, or by another first column, unless the address names one of their columns. */
export const parseSort = <C extends string>(
  columns: readonly C[],
  sort: string | undefined,
  first: NoInfer<C> | 'name' = 'name',
): Sort<C | 'name'> => {
  const column = columns.find((name) => name === sort?.replace(/^-/, ''));
  return { column: column ?? first, isDescending: column !== undefined && sort?.startsWith('-') === true };
};

type SortParam<C extends string> = C | `-${C}` | undefined;

/** The default sort has no parameter. */
export const formatSort = <C extends string>(column: C, isDescending: boolean, first = 'name'): SortParam<C> =>
  isDescending ? `-${column}` : column === first ? undefined : column;

/** The sort of a list, for the headers of its table and for `SortChoice`, which replaces them on a phone. */
export const sortControls = <C extends string>(
  columns: readonly C[],
  labels: Readonly<Record<NoInfer<C> | 'name', string>>,
  sort: string | undefined,
  onChange: (change: { sort: SortParam<NoInfer<C> | 'name'>; page: undefined }) => void,
  first: NoInfer<C> | 'name' = 'name',
) => ({
  columns,
  labels,
  sorted: parseSort(columns, sort, first),
  onSort: (column: C | 'name', isDescending: boolean) =>
    onChange({ sort: formatSort(column, isDescending, first), page: undefined }),
});

type Options = { isStep?: boolean; isSaved?: boolean };
export type ChangeSearch<S> = (change: Partial<S>, options?: Options) => void;

/** Navigates within a screen. `isStep` adds an entry to the history; a filter or a form replaces the current one. */
export const changeSearch = <S>(change: Partial<S>, { isStep = false, isSaved = false }: Options = {}) => ({
  search: (current: S) => ({ ...current, ...change }),
  replace: !isStep,
  resetScroll: false,
  // A saved form needs no confirmation.
  ignoreBlocker: isSaved,
});
