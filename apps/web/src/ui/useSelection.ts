import { useRef, useState } from 'react';

type Options = {
  /** The query of the rows: a new query clears the selection. */
  of?: string;
  most?: number;
};

type Chosen = { of: string; ids: ReadonlySet<string>; beyond: readonly string[] };

/** The selected rows. A row that is no longer shown leaves the selection, unless it was selected by `chooseThese`. */
export function useSelection(
  shown: readonly string[],
  { of = '', most: max = Number.POSITIVE_INFINITY }: Options = {},
) {
  const [chosen, setChosen] = useState<Chosen>({ of, ids: new Set(), beyond: [] });
  const last = useRef<string>(undefined);
  const { ids: known, beyond } = chosen.of === of ? chosen : { ids: new Set<string>(), beyond: [] };
  const ids = [...new Set([...shown, ...beyond])].filter((id) => known.has(id));
  const keep = (next: readonly string[], further = beyond) =>
    setChosen({ of, ids: new Set(next.slice(0, max)), beyond: further.length > 0 ? further.slice(0, max) : further });
  const choose = (id: string, isChosen: boolean, isRange: boolean) => {
    const [from, to] = [shown.indexOf(isRange ? (last.current ?? id) : id), shown.indexOf(id)];
    const range = from < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    keep(isChosen ? [...new Set([...ids, ...range])] : ids.filter((other) => !range.includes(other)));
  };
  return {
    ids,
    isAll: shown.length > 0 && shown.every((id) => known.has(id)),
    choose,
    chooseAll: (isChosen: boolean) => keep(isChosen ? shown : [], []),
    /** Selects rows of other pages too. */
    chooseThese: (these: readonly string[]) => keep(these, these),
  };
}

export type Selection = ReturnType<typeof useSelection>;
