import { useEffect, useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { toast } from '../../ui/toasts';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { loadFailed, pluginsApi, type PluginsParams } from './plugins.api';
import type { PluginsSearch } from './search';

export const pageSize = 50;
const nothingToRefresh = 'Rien à relire pour l’instant\u00a0: ces sites viennent d’être lus, ou ne répondent pas.';
const scansDisabled = 'La lecture des sites est désactivée sur cette installation\u00a0: testez-les depuis leur page.';
const pollMs = 60_000;
const refreshPollMs = 2_000;
/** The specification polls a forced refresh ten times at most. */
const maxFollowMs = 10.5 * refreshPollMs;

export function usePluginsParams({
  q = '',
  updates,
  group: groupId,
  sort = 'updates_desc',
  page = 1,
}: PluginsSearch): PluginsParams {
  return {
    q: useDebouncedSearch(q),
    only_updates: updates ? '1' : '0',
    group_id: groupId,
    sort,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
}

/** `forceRefresh` starts a new scan of the sites, and polls more often until it ends. */
export function useOverview(params: PluginsParams) {
  const [isFollowing, setFollowing] = useState(false);
  const [refresh, { isLoading, error: refreshError }] = pluginsApi.useRefreshPluginsMutation();
  const cached = pluginsApi.endpoints.plugins.useQueryState(params);
  const isPolling = isFollowing && cached.currentData?.refreshing === true;
  const pollingInterval = usePollInterval(cached, isPolling ? refreshPollMs : pollMs);
  const answer = pluginsApi.usePluginsQuery(params, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  useEffect(() => {
    if (!isFollowing) return undefined;
    const timer = setTimeout(() => setFollowing(false), maxFollowMs);
    return () => clearTimeout(timer);
  }, [isFollowing]);
  const forceRefresh = async (): Promise<void> => {
    const { data } = await refresh(params);
    if (!data) return;
    if (data.refreshing) setFollowing(true);
    else toast.info(data.can_refresh ? nothingToRefresh : scansDisabled);
  };
  return {
    ...useListQuery(answer, loadFailed),
    forceRefresh: () => void forceRefresh(),
    refreshFailure: sentenceOf(refreshError),
    isRefreshing: isLoading || isPolling,
  };
}
