import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { jobsApi } from './jobs.api';
import { markStarted, markReported, watchJob } from './outcomes';
import { withJobParam } from './withJobParam';

/** Opens a new batch in the dock; its end is reported in a toast when the dock no longer shows it. */
export function useFollowBatch() {
  const navigate = useNavigate();
  return (id: string): void => {
    markStarted(id);
    void navigate({ to: '.', search: withJobParam(id), resetScroll: false });
  };
}

/** Jobs that this screen started. The screen reports their end itself; once it is left, the shell does. */
export function useStartedJobs() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const unwatchers = [...ids].map(watchJob);
    return () => unwatchers.forEach((end) => end());
  }, [ids]);
  return {
    ids,
    track: (id: string): void => {
      markStarted(id);
      setIds((current) => new Set(current).add(id));
    },
    untrack: (ended: ReadonlySet<string>): void => {
      ended.forEach(markReported);
      setIds((current) => new Set([...current].filter((id) => !ended.has(id))));
    },
  };
}

export const useLazyJob = jobsApi.useLazyJobQuery;
