import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useListed } from '../../app/useListed';
import { pluginsApi, type Question } from './plugins.api';
import type { PluginsSearch } from './search';

export const size = 50;
const failed = 'Impossible de charger les plugins.';
const typingMs = 250;
const everyMs = 60_000;
const oftenMs = 2_000;
/** A forced refresh is followed ten times. */
const mostMs = 10 * oftenMs;

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
  const [forcedAt, setForcedAt] = useState<number>();
  const [refresh, { isLoading }] = pluginsApi.useRefreshPluginsMutation();
  const { currentData: known } = pluginsApi.endpoints.plugins.useQueryState(question);
  const isPolling = forcedAt !== undefined && (known?.refreshing ?? false);
  const answer = pluginsApi.usePluginsQuery(question, {
    pollingInterval: isPolling ? oftenMs : everyMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const listed = useListed(answer, failed);
  useEffect(() => {
    if (forcedAt === undefined) return undefined;
    const timer = setTimeout(() => setForcedAt(undefined), mostMs);
    return () => clearTimeout(timer);
  }, [forcedAt]);
  const force = async (): Promise<void> => {
    const { data, error } = await refresh(question);
    if (error) tellFailure(error, failed);
    else if (data.refreshing) setForcedAt(Date.now());
  };
  return { ...listed, force: () => void force(), isForcing: isLoading || isPolling };
}
