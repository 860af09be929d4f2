import { Text } from '@mantine/core';
import { isFinal, type Job } from '@vigie/contracts/jobs';
import { useJobsPollInterval } from '../../kit/job/useJobs';
import { describeBatch, doneShare, formatCounts, isUndone, stateLabel } from '../../kit/job/words';
import { whileVisible } from '../../kit/query/usePollInterval';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { ProgressBar } from '../../ui/JobProgress';
import { formatNumber } from '../../ui/plural';
import { ReadFailed } from '../../ui/ReadFailed';
import { Skeleton } from '../../ui/Skeleton';
import { flattenPages, pagesApi } from './job-pages.api';
import styles from './jobs.module.css';
import { JobRows } from './JobRows';
import { LoadMore } from './LoadMore';

type Batch = Job & { counts: NonNullable<Job['counts']> };

const foreignBatchHint = 'Aucune tâche de ce lot ne vous appartient. Le mode admin les affiche toutes.';

function useBatchJobs({ id, state }: Batch) {
  const pollInterval = useJobsPollInterval();
  const answer = pagesApi.useJobPagesInfiniteQuery(
    { batchId: id },
    { pollingInterval: isFinal(state) ? 0 : pollInterval, refetchOnMountOrArgChange: true, ...whileVisible },
  );
  return { ...answer, jobs: answer.data && flattenPages(answer.data) };
}

/** What is done of the batch, or what came of it. */
function Standing({ job, reason }: { job: Batch; reason: string | undefined }) {
  const { kind, counts, state } = job;
  if (isFinal(state)) {
    const { tone } = stateLabel(job);
    const sentence = describeBatch(kind, counts, reason);
    return sentence !== '' && <Callout tone={tone === 'danger' || tone === 'ok' ? tone : 'warn'}>{sentence}</Callout>;
  }
  const { done, total } = doneShare(job) ?? { done: 0, total: 0 };
  return (
    <div>
      <Text fw={600} mb={6}>
        {formatCounts({ kind, state, counts })}
      </Text>
      <ProgressBar isSmooth label="Avancement du lot" value={done} max={total} />
    </div>
  );
}

/** The jobs of a batch, problems first. */
export function BatchJobs({ job }: { job: Batch }) {
  const { jobs, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useBatchJobs(job);
  const { total } = job.counts;
  if (total === 0) return <Text variant="hint">{foreignBatchHint}</Text>;
  return (
    <>
      <Standing job={job} reason={jobs?.find(isUndone)?.error?.message} />
      <Card className={styles['rows']}>
        {!jobs && !isError && <Skeleton rows={Math.min(8, total)} height={36} />}
        {!jobs && isError && (
          <ReadFailed sentence="Impossible de charger les tâches de ce lot." isBusy={isFetching} onRetry={refetch} />
        )}
        {jobs && <JobRows label="Tâches du lot" jobs={jobs} isInBatch />}
        {jobs && hasNextPage && (
          <LoadMore isLoading={isFetchingNextPage} onLoadMore={() => void fetchNextPage()}>
            <span>{`${formatNumber(jobs.length)} sur ${formatNumber(total)}`}</span>
          </LoadMore>
        )}
      </Card>
    </>
  );
}
