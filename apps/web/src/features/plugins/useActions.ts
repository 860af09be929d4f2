import { applyUpdates } from '@vigie/contracts/changes';
import type { PluginItem } from '@vigie/contracts/plugins';
import { useRef, useState } from 'react';
import { useSiteRights } from '../../kit/fleet/guests';
import { reportFailure } from '../../kit/query/failures';
import { useExport } from '../../kit/query/useExport';
import { useBatch } from '../../kit/job/useBatch';
import { exportCall, pluginsApi, type PluginsParams } from './plugins.api';

/** A plan takes no more sites than this. */
const maxSites = 500;

/** A plugin, and the sites to update it on; `leftOut` counts the sites over the limit. */
export type UpdateTargets = { slug: string; name: string; siteIds: readonly string[]; leftOut: number };

const noneAllowed = 'Ces sites sont partagés avec vous sans le droit de les mettre à jour.';
const notFound = 'Impossible de trouver les sites où cette mise à jour attend.';
export type SearchFailure = { slug: string; sentence: string };

/** Finds the sites where a plugin has an update and the user may make it, for the plan of a bulk update. */
export function useUpdateEverywhere(groupId: string | undefined, onTargetsFound: (targets: UpdateTargets) => void) {
  const [fetchSites] = pluginsApi.useLazyPluginSitesQuery();
  const [searchingSlug, setSearchingSlug] = useState<string>();
  const [searchFailure, setSearchFailure] = useState<SearchFailure>();
  const latestSearch = useRef(0);
  const rights = useSiteRights();
  const findTargets = async ({ plugin: slug, name }: Pick<PluginItem, 'plugin' | 'name'>): Promise<void> => {
    const searchNumber = ++latestSearch.current;
    setSearchingSlug(slug);
    setSearchFailure(undefined);
    const { data, error } = await fetchSites({
      slug,
      only_updates: '1',
      group_id: groupId,
      limit: maxSites,
      offset: 0,
    });
    // A later search was started meanwhile: only its plan opens.
    if (searchNumber !== latestSearch.current) return;
    setSearchingSlug(undefined);
    if (!data) return setSearchFailure({ slug, sentence: reportFailure(error, notFound) });
    const siteIds = data.items.map(({ site_id: siteId }) => siteId).filter((id) => rights(id, applyUpdates));
    if (siteIds.length === 0 && data.items.length > 0) return setSearchFailure({ slug, sentence: noneAllowed });
    onTargetsFound({ slug, name, siteIds, leftOut: data.total - data.items.length });
  };
  return {
    searchingSlug,
    searchFailure,
    findTargets: (plugin: Pick<PluginItem, 'plugin' | 'name'>) => void findTargets(plugin),
  };
}

/** Scans the failed sites again, as jobs that the dock follows. */
export function useRetryFailures(groupId: string | undefined) {
  const { start, isBusy, failure } = useBatch(pluginsApi.useRetryFailuresMutation());
  return { isBusy, failure, run: () => start({ group_id: groupId }) };
}

/** Downloads all plugins that match the filters as a CSV file. */
export function useCsvExport({ q, only_updates: onlyUpdates, group_id: groupId }: PluginsParams) {
  const { run, ...csv } = useExport();
  return { ...csv, run: () => run('plugins.csv', exportCall({ q, only_updates: onlyUpdates, group_id: groupId })) };
}
