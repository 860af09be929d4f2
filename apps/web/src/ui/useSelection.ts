import { useRef, useState } from 'react';

/** Which of the shown rows are chosen; what is no longer shown is not. */
export function useSelection(shown: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const ids = shown.filter((id) => chosen.has(id));
  const choose = (id: string, isChosen: boolean, isRange: boolean) => {
    const [from, to] = [shown.indexOf(isRange ? (last.current ?? id) : id), shown.indexOf(id)];
    const range = from < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setChosen(new Set(isChosen ? [...ids, ...range] : ids.filter((other) => !range.includes(other))));
  };
  return {
    ids,
    isAll: shown.length > 0 && ids.length === shown.length,
    choose,
    chooseAll: (isChosen: boolean) => setChosen(new Set(isChosen ? shown : [])),
  };
}

export type Selection = ReturnType<typeof useSelection>;
