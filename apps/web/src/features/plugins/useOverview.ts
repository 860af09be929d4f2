import { useEffect, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useListed } from '../../app/useListed';
import { usePace, visibly } from '../../app/usePace';
import { toast } from '../../ui/toasts';
import { useSettled } from '../../ui/useSettled';
import { pluginsApi, type Question } from './plugins.api';
import type { PluginsSearch } from './search';

export const size = 50;
const failed = 'Impossible de charger les plugins.';
const isDone = 'Rien à relire pour l’instant\u00a0: ces sites viennent d’être lus, ou ne répondent pas.';
const isOff = 'La lecture des sites est désactivée sur cette installation\u00a0: testez-les depuis leur page.';
const everyMs = 60_000;
const oftenMs = 2_000;
/** A forced refresh is followed ten times at most. */
const longMs = 10.5 * oftenMs;

export function useQuestion({ q = '', updates, group, sort = 'updates_desc', page = 1 }: PluginsSearch): Question {
  return {
    q: useSettled(q),
    only_updates: updates ? '1' : '0',
    group_id: group,
    sort,
    limit: size,
    offset: (page - 1) * size,
  };
}

/** The overview, as it is known; `force` has the sites read again, and what comes of that is shown as it comes. */
export function useOverview(question: Question) {
  const [isFollowing, setFollowing] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [refresh, { isLoading }] = pluginsApi.useRefreshPluginsMutation();
  const known = pluginsApi.endpoints.plugins.useQueryState(question);
  const isPolling = isFollowing && known.currentData?.refreshing === true;
  const pollingInterval = usePace(known, isPolling ? oftenMs : everyMs);
  const answer = pluginsApi.usePluginsQuery(question, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  useEffect(() => {
    if (!isFollowing) return undefined;
    const timer = setTimeout(() => setFollowing(false), longMs);
    return () => clearTimeout(timer);
  }, [isFollowing]);
  const force = async (): Promise<void> => {
    setRefusal(undefined);
    const { data, error } = await refresh(question);
    if (error) setRefusal(tellFailure(error, failed));
    else if (data.refreshing) setFollowing(true);
    else toast.info(data.can_refresh ? isDone : isOff);
  };
  return { ...useListed(answer, failed), force: () => void force(), refusal, isForcing: isLoading || isPolling };
}
