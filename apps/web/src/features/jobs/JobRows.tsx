import type { JobItem } from '@vigie/contracts/jobs';
import { JobRow } from './JobRow';
import { useJobActions } from './useJobActions';
import { useRovingFocus } from './useRovingFocus';

export function JobRows({ label, jobs }: { label: string; jobs: readonly JobItem[] }) {
  const { current, list } = useRovingFocus(jobs.map(({ id }) => id));
  const { dialog, ...handlers } = useJobActions();
  return (
    <>
      <ul aria-label={label} {...list}>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobRow job={job} isCurrent={current === job.id} handlers={handlers} />
          </li>
        ))}
      </ul>
      {dialog}
    </>
  );
}
