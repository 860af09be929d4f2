import type { JobItem } from '@vigie/contracts/jobs';
import { formatDate } from '../../ui/dates';
import { useNow } from '../../ui/useNow';
import { TimeAgo } from '../../ui/TimeAgo';
import { formatDuration } from '../../kit/job/words';

function RunningTime({ since }: { since: string }) {
  const now = useNow(1_000);
  return (
    <span title={`Depuis le ${formatDate(new Date(since))}`}>{formatDuration(now.getTime() - Date.parse(since))}</span>
  );
}

/** The duration of a running job; the age and duration of one that ended. */
export function Elapsed({ job }: { job: JobItem }) {
  const { created_at: createdAt, started_at: startedAt, finished_at: finishedAt } = job;
  if (finishedAt === null) return startedAt === null ? <TimeAgo at={createdAt} /> : <RunningTime since={startedAt} />;
  const ms = startedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  return (
    <span>
      <TimeAgo at={finishedAt} />
      {ms !== undefined && <span data-took>{` · ${formatDuration(ms)}`}</span>}
    </span>
  );
}
