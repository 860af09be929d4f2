import { useState } from 'react';
import { useFormValues } from '../../app/useFormValues';
import { type Choice, type Edits, editedOf, editsWith, type Found, type Made } from './choices';

type Wanted = { edits: Edits; groups: string[] };

const blank: Wanted = { edits: {}, groups: [] };

/** What somebody wants of the sites of a server; it outlives a new search. */
export function useDraft(server: string) {
  const [{ edits, groups }, setWanted] = useFormValues<Wanted>(`discovery ${server}`, blank);
  const [made, setMade] = useState<Made>({});
  const setEdits = (edit: (shown: Edits) => Edits) => setWanted((shown) => ({ ...shown, edits: edit(shown.edits) }));
  return {
    groups,
    setGroups: (chosen: string[]) => setWanted((shown) => ({ ...shown, groups: chosen })),
    isDirty: groups.length > 0 || Object.keys(edits).length > 0,
    choicesFor: (items: readonly Found[]) => editedOf(items, edits, made),
    change: (items: readonly Found[], changes: Edits) => setEdits((shown) => editsWith(shown, items, changes)),
    /** What is in Vigie now is no longer chosen. */
    settle: (sites: readonly { id: string; path: string }[]) => {
      const paths = new Set(sites.map(({ path }) => path));
      setMade((shown) => ({ ...shown, ...Object.fromEntries(sites.map(({ id, path }) => [path, id])) }));
      setEdits((shown) => Object.fromEntries(Object.entries(shown).filter(([path]) => !paths.has(path))));
    },
    clear: () => setWanted(blank),
  };
}

export type Draft = ReturnType<typeof useDraft>;

/** What was found, with what somebody wants of it. */
export function useChoices(items: readonly Found[], draft: Draft) {
  const choices = draft.choicesFor(items);
  const fresh = choices.filter(({ found }) => found.site_id === null);
  return {
    choices,
    fresh,
    chosen: fresh.filter(({ isChosen }) => isChosen),
    change: (path: string, changes: Partial<Choice>) => draft.change(items, { [path]: changes }),
    chooseAll: (isChosen: boolean) =>
      draft.change(items, Object.fromEntries(fresh.map(({ found }) => [found.path, { isChosen }]))),
  };
}
