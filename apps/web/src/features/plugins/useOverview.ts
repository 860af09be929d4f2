import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useListed } from '../../app/useListed';
import { toast } from '../../ui/toasts';
import { pluginsApi, type Question } from './plugins.api';
import type { PluginsSearch } from './search';

export const size = 50;
const failed = 'Impossible de charger les plugins.';
const isDone = 'Rien à relire pour l’instant\u00a0: ces sites viennent d’être lus, ou ne répondent pas.';
const isOff = 'La lecture des sites est désactivée sur cette installation\u00a0: testez-les depuis leur page.';
const typingMs = 250;
const everyMs = 60_000;
const oftenMs = 2_000;
/** A forced refresh is followed ten times at most. */
const longMs = 10.5 * oftenMs;

export function useQuestion({ q = '', updates, group, sort = 'updates_desc', page = 1 }: PluginsSearch): Question {
  const [typed] = useDebouncedValue(q, typingMs);
  return {
    // What is taken away is not typed letter by letter.
    q: q === '' ? '' : typed,
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
  const [refresh, { isLoading }] = pluginsApi.useRefreshPluginsMutation();
  const { currentData: known } = pluginsApi.endpoints.plugins.useQueryState(question);
  const isPolling = isFollowing && known?.refreshing === true;
  const answer = pluginsApi.usePluginsQuery(question, {
    pollingInterval: isPolling ? oftenMs : everyMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  useEffect(() => {
    if (!isFollowing) return undefined;
    const timer = setTimeout(() => setFollowing(false), longMs);
    return () => clearTimeout(timer);
  }, [isFollowing]);
  const force = async (): Promise<void> => {
    const { data, error } = await refresh(question);
    if (error) tellFailure(error, failed);
    else if (data.refreshing) setFollowing(true);
    else toast.info(data.can_refresh ? isDone : isOff);
  };
  return { ...useListed(answer, failed), force: () => void force(), isForcing: isLoading || isPolling };
}
