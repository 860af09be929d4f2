import { useSiteRights } from '../../kit/fleet/guests';
import { cancelJob, type JobItem } from '@vigie/contracts/jobs';
import { JobRow } from './JobRow';
import { useJobActions } from './useJobActions';
import { useRovingFocus } from './useRovingFocus';

type Props = { label: string; jobs: readonly JobItem[]; isInBatch?: boolean };

export function JobRows({ label, jobs, isInBatch = false }: Props) {
  const { current, list } = useRovingFocus(jobs.map(({ id }) => id));
  const { dialog, ...handlers } = useJobActions();
  const rights = useSiteRights();
  return (
    <>
      <ul aria-label={label} {...list}>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobRow
              job={job}
              isInBatch={isInBatch}
              isCurrent={current === job.id}
              handlers={rights(job.site_id, cancelJob) ? handlers : undefined}
            />
          </li>
        ))}
      </ul>
      {dialog}
    </>
  );
}
