import { isFinal } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent } from 'react';
import { useJob } from '../../kit/job/useJobs';
import { isApiError } from '../../kit/query/api-error';
import { useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { type PendingDownload, pendingDownloads, removeDownload } from './pending-downloads';
import { useSave } from './useBackups';

/** Waits until Vigie has the archive, then lets the browser download it. */
function Download({ jobId, siteId, filename }: PendingDownload) {
  const { currentData: job, error } = useJob(jobId);
  const { save } = useSave(siteId);
  const isOver = job ? isFinal(job.state) : isApiError(error) && error.status === 404;
  const finish = useEffectEvent(async () => {
    const failure = job?.state === 'succeeded' ? await save(filename) : undefined;
    if (failure !== undefined) toast.error(failure);
    removeDownload(jobId);
  });
  useEffect(() => {
    if (isOver) void finish();
  }, [isOver]);
  return null;
}

/** Works on any screen, so that a person may go on while the archive is copied. */
export const PendingDownloads = () =>
  useSignal(pendingDownloads).map((download) => <Download key={download.jobId} {...download} />);
