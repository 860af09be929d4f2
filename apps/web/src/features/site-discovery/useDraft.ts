import { useState } from 'react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import {
  type ImportChoice,
  type Edits,
  choicesWithEdits,
  mergeEdits,
  type DiscoveredSite,
  type ImportedIds,
} from './choices';

type DraftValues = { edits: Edits; groups: string[] };

const blank: DraftValues = { edits: {}, groups: [] };

/** The user's choices and edits for a server; a new search keeps them. */
export function useDraft(serverId: string) {
  const form = useDraftForm<DraftValues>({ name: `discovery ${serverId}`, initial: blank, validate: () => ({}) });
  const { edits, groups } = form.values;
  const [importedIds, setImportedIds] = useState<ImportedIds>({});
  const setEdits = (edit: (current: Edits) => Edits) => form.change((current) => ({ edits: edit(current.edits) }));
  return {
    groups,
    setGroups: (groupIds: string[]) => form.change({ groups: groupIds }),
    isDirty: groups.length > 0 || Object.keys(edits).length > 0,
    choicesFor: (items: readonly DiscoveredSite[]) => choicesWithEdits(items, edits, importedIds),
    change: (items: readonly DiscoveredSite[], changes: Edits) =>
      setEdits((current) => mergeEdits(current, items, changes)),
    /** Takes imported sites out of the choice. */
    markImported: (sites: readonly { id: string; path: string }[]) => {
      const paths = new Set(sites.map(({ path }) => path));
      setImportedIds((current) => ({ ...current, ...Object.fromEntries(sites.map(({ id, path }) => [path, id])) }));
      setEdits((current) => Object.fromEntries(Object.entries(current).filter(([path]) => !paths.has(path))));
    },
    clear: () => form.change(blank),
  };
}

export type Draft = ReturnType<typeof useDraft>;

/** The discovered sites with the user's edits. */
export function useChoices(items: readonly DiscoveredSite[], draft: Draft) {
  const choices = draft.choicesFor(items);
  const newSites = choices.filter(({ site }) => site.site_id === null);
  return {
    choices,
    newSites,
    chosen: newSites.filter(({ isChosen }) => isChosen),
    change: (path: string, changes: Partial<ImportChoice>) => draft.change(items, { [path]: changes }),
    chooseAll: (isChosen: boolean) =>
      draft.change(items, Object.fromEntries(newSites.map(({ site }) => [site.path, { isChosen }]))),
  };
}
