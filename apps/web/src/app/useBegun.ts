import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { jobsApi } from '../features/jobs/jobs.api';
import { noteStarted, noteTold, watchJob } from '../features/jobs/outcomes';
import { atJob } from './atJob';

/** Opens a new batch in the dock; its end is reported in a toast when the dock no longer shows it. */
export function useFollowBatch() {
  const navigate = useNavigate();
  return (id: string): void => {
    noteStarted(id);
    void navigate({ to: '.', search: atJob(id), resetScroll: false });
  };
}

/** Jobs that this screen started. The screen reports their end itself; once it is left, the shell does. */
export function useBegun() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const ends = [...ids].map(watchJob);
    return () => ends.forEach((end) => end());
  }, [ids]);
  return {
    ids,
    begin: (id: string): void => {
      noteStarted(id);
      setIds((known) => new Set(known).add(id));
    },
    end: (ended: ReadonlySet<string>): void => {
      ended.forEach(noteTold);
      setIds((known) => new Set([...known].filter((id) => !ended.has(id))));
    },
  };
}

export const useReadJob = jobsApi.useLazyJobQuery;
