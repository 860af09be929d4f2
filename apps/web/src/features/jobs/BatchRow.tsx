import { type JobItem, isFinal } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { visibly } from '../../app/usePace';
import { Failure } from '../../ui/Failure';
import { Skeleton } from '../../ui/Skeleton';
import styles from './BatchRow.module.css';
import { JobRow, type RowsProps } from './JobRow';
import { jobsApi } from './jobs.api';
import { useJobsPace } from './useJobs';

type Props = RowsProps & { job: JobItem };

/** The jobs of a batch. */
export function Children({ job, ...rows }: Props) {
  const pace = useJobsPace();
  const { data, error } = jobsApi.useJobsQuery(
    { batchId: job.id },
    { pollingInterval: isFinal(job.state) ? 0 : pace, refetchOnMountOrArgChange: true, ...visibly },
  );
  if (!data) {
    return error ? (
      <Failure sentence="Impossible de charger les tâches de ce lot." />
    ) : (
      <Skeleton rows={Math.min(3, job.counts?.total ?? 3)} height={36} />
    );
  }
  const total = job.counts?.total ?? 0;
  return (
    <>
      <ul aria-label="Tâches du lot">
        {data.map((child) => (
          <li key={child.id}>
            <JobRow job={child} {...rows} />
          </li>
        ))}
      </ul>
      {total > data.length && <p className={styles['rest']}>{`Les ${data.length} premières sur ${total}.`}</p>}
    </>
  );
}

/** One line for work on many; what it is made of is below it, for whoever opens it. */
export function BatchRow(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <JobRow {...props} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <div data-batch={props.job.id} className={styles['children']}>
          <Children {...props} />
        </div>
      )}
    </>
  );
}
