import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { cancelJob, type Job } from '@vigie/contracts/jobs';
import type { ReactNode } from 'react';
import { useSiteRights } from '../../kit/fleet/guests';
import { JobLink } from '../../kit/job/JobLink';
import { jobName } from '../../kit/job/kinds';
import { useJob } from '../../kit/job/useJobs';
import { formatDuration, formatTimeLeft, stateLabel } from '../../kit/job/words';
import { isApiError } from '../../kit/query/api-error';
import { failureReason } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { JobProgress } from '../../ui/JobProgress';
import { PageHead } from '../../ui/Page';
import { usePageTitle } from '../../ui/pageTitle';
import { ReadFailed } from '../../ui/ReadFailed';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { useThrottled } from '../../ui/useThrottled';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { acknowledgedText, canAcknowledge } from './acknowledge';
import { BatchJobs } from './BatchJobs';
import { ChangeResult } from './ChangeResult';
import { canCancel } from './JobActions';
import { JobLog } from './JobLog';
import { RunningTime } from './JobRow';
import styles from './jobs.module.css';
import { escapeControls } from './log-text';
import { canRetry, redoneLabel, retryLabel } from './retry';
import { useJobActions } from './useJobActions';

const announceEveryMs = 5_000;

const link = styles['link'] ?? '';

/** The site or server that a job works on, or the only one of a batch. */
function Place({ job }: { job: Job }) {
  const only = job.targets?.count === 1 ? job.targets : undefined;
  const siteId = job.site_id ?? only?.site_id;
  const serverId = job.server_id ?? only?.server_id;
  return (
    <>
      {siteId && (
        <Link to="/sites/$siteId" params={{ siteId }} className={link}>
          {`Site ${job.site_name ?? only?.name ?? ''}`.trim()}
        </Link>
      )}
      {serverId && (
        <Link to="/servers" search={{ open: serverId }} className={link}>
          {`Serveur ${job.server_name ?? only?.name ?? ''}`.trim()}
        </Link>
      )}
    </>
  );
}

const timeLeftMs = 5_000;

function Times({ job }: { job: Job }) {
  const { actor_name: actor, created_at: createdAt, started_at: startedAt, finished_at: finishedAt } = job;
  const timeLeft = formatTimeLeft(job, useNow(timeLeftMs));
  return (
    <>
      <span>
        {actor === null ? 'Demandée ' : `Demandée par ${actor} `}
        <TimeAgo at={createdAt} />
      </span>
      {startedAt !== null && finishedAt === null && (
        <span>
          {'en cours depuis '}
          <RunningTime since={startedAt} />
        </span>
      )}
      {timeLeft !== undefined && <span>{timeLeft}</span>}
      {finishedAt !== null && (
        <span>
          {'terminée '}
          <TimeAgo at={finishedAt} />
          {startedAt !== null && `, en ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`}
        </span>
      )}
    </>
  );
}

function Facts({ job }: { job: Job }) {
  const { state, attempts, retry_of: retryOf, redone_by: redoneBy, batch_id: batchId, acknowledged } = job;
  const related = [
    [retryOf, 'Tâche d’origine'],
    [redoneBy, redoneLabel],
    [batchId, 'Tout le lot'],
  ] as const;
  return (
    <Group gap="0 16px" c="muted" fz={13}>
      <Place job={job} />
      <Times job={job} />
      {attempts > 1 && state !== 'succeeded' && <span>{`${attempts}ᵉ essai`}</span>}
      {related.map(
        ([id, name]) =>
          id !== null && (
            <JobLink key={name} id={id} className={link}>
              {name}
            </JobLink>
          ),
      )}
      {acknowledged && (
        <span>
          {`${acknowledgedText(acknowledged.by)} `}
          <TimeAgo at={acknowledged.at} />
        </span>
      )}
    </Group>
  );
}

function Actions({ job, onShow }: { job: Job; onShow: (id: string) => void }) {
  const { dialog, isRetrying, cancel, retry, acknowledge } = useJobActions(onShow);
  const rights = useSiteRights();
  if (!rights(job.site_id ?? job.targets?.site_id ?? null, cancelJob)) return null;
  const hasActions = canCancel(job) || canAcknowledge(job) || canRetry(job);
  return (
    <Group gap={8} display={hasActions ? undefined : 'none'}>
      {canCancel(job) && (
        <Button variant="default" onClick={() => cancel(job)}>
          Annuler
        </Button>
      )}
      {canAcknowledge(job) && (
        <Button variant="default" onClick={() => acknowledge(job)}>
          Prendre en compte
        </Button>
      )}
      {canRetry(job) && (
        <Button loading={isRetrying} onClick={() => retry(job)}>
          {retryLabel(job)}
        </Button>
      )}
      {dialog}
    </Group>
  );
}

function Head({ job, onShow }: { job: Job; onShow: (id: string) => void }) {
  const name = jobName(job);
  usePageTitle(name);
  const { tone, word } = stateLabel(job);
  const announcement = useThrottled([word, job.progress?.step].filter(Boolean).join(', '), announceEveryMs);
  return (
    <PageHead>
      <Stack gap={4} flex="1 1 320px" miw={0}>
        <Group gap="4px 12px">
          <h1>{name}</h1>
          <Status tone={tone}>{word}</Status>
          <output>
            <VisuallyHidden>{announcement}</VisuallyHidden>
          </output>
        </Group>
        <Facts job={job} />
      </Stack>
      <Actions job={job} onShow={onShow} />
    </PageHead>
  );
}

function JobFailure({ job }: { job: Job }) {
  const { error } = job;
  if (!error) return null;
  const outputs = [error.stderr, error.stdout].flatMap((text) => text?.trim() || []);
  return (
    <Callout tone={stateLabel(job).tone === 'danger' ? 'danger' : 'warn'}>
      <p>{error.message}</p>
      {error.remedy !== undefined && (
        <Text mt={2} c="var(--text)" fw={400}>
          {error.remedy}
        </Text>
      )}
      {outputs.map((text) => (
        <pre key={text} className={styles['output']}>
          {text.split('\n').map(escapeControls).join('\n')}
        </pre>
      ))}
    </Callout>
  );
}

const SingleJob = ({ job }: { job: Job }) => (
  <>
    {job.state === 'running' && job.progress && <JobProgress progress={job.progress} />}
    <JobFailure job={job} />
    <ChangeResult job={job} />
    <JobLog job={job} />
  </>
);

/** The API refuses an address that cannot be a job's, and knows no job of somebody else. */
const isMissing = (error: unknown): boolean => isApiError(error) && (error.status === 404 || error.status === 400);

type Props = {
  id: string;
  /** Takes the place of a job that does not exist, or that the person may not see. */
  missing: ReactNode;
  onShow: (id: string) => void;
};

export function JobPage({ id, missing, onShow }: Props) {
  const { currentData: job, error, isFetching, refetch } = useJob(id);
  if (!job && isMissing(error)) return missing;
  if (!job) {
    return (
      <Card>
        {error ? (
          <ReadFailed
            sentence={failureReason(error, 'Impossible de lire cette tâche.')}
            isBusy={isFetching}
            onRetry={refetch}
          />
        ) : (
          <Skeleton rows={6} height={44} />
        )}
      </Card>
    );
  }
  const { counts } = job;
  return (
    <Stack gap={16}>
      <Head job={job} onShow={onShow} />
      {error && (
        <Text c="warn" fz={13}>
          Vigie ne répond pas&#160;: ce qui est affiché peut dater.
        </Text>
      )}
      {counts ? <BatchJobs job={{ ...job, counts }} /> : <SingleJob job={job} />}
    </Stack>
  );
}
