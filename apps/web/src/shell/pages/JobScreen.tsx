import { useNavigate } from '@tanstack/react-router';
import { JobPage } from '../../features/jobs/JobPage';
import { toJob } from '../../kit/job/JobLink';
import { NotFound } from '../layout/ScreenError';

export function JobScreen({ id }: { id: string }) {
  const navigate = useNavigate();
  return <JobPage id={id} missing={<NotFound />} onShow={(next) => void navigate(toJob(next))} />;
}
