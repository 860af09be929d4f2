import { useRef, useState } from 'react';

type Options = {
  /** The query of the rows: a new query clears the selection. */
  query?: string;
  max?: number;
};

type SelectionState = { query: string; ids: ReadonlySet<string>; offPage: readonly string[] };

/** The selected rows. A row that is no longer shown leaves the selection, unless it was selected by `chooseThese`. */
export function useSelection(rowIds: readonly string[], { query = '', max = Number.POSITIVE_INFINITY }: Options = {}) {
  const [chosen, setChosen] = useState<SelectionState>({ query, ids: new Set(), offPage: [] });
  const last = useRef<string>(undefined);
  const { ids: selectedIds, offPage } = chosen.query === query ? chosen : { ids: new Set<string>(), offPage: [] };
  const ids = [...new Set([...rowIds, ...offPage])].filter((id) => selectedIds.has(id));
  const select = (next: readonly string[], nextOffPage = offPage) =>
    setChosen({
      query,
      ids: new Set(next.slice(0, max)),
      offPage: nextOffPage.length > 0 ? nextOffPage.slice(0, max) : nextOffPage,
    });
  const choose = (id: string, isChosen: boolean, isRange: boolean) => {
    const [from, to] = [rowIds.indexOf(isRange ? (last.current ?? id) : id), rowIds.indexOf(id)];
    const range = from < 0 ? [id] : rowIds.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    select(isChosen ? [...new Set([...ids, ...range])] : ids.filter((other) => !range.includes(other)));
  };
  return {
    ids,
    isAll: rowIds.length > 0 && rowIds.every((id) => selectedIds.has(id)),
    choose,
    chooseAll: (isChosen: boolean) => select(isChosen ? rowIds : [], []),
    /** Selects rows of other pages too. */
    chooseThese: (these: readonly string[]) => select(these, these),
  };
}

export type Selection = ReturnType<typeof useSelection>;
