import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Job } from '@vigie/contracts/jobs';
import { ArrowLeft, FileQuestion, X } from 'lucide-react';
import { isApiError } from '../../kit/query/api-error';
import { withJobParam } from '../../kit/job/withJobParam';
import { failureReason } from '../../kit/query/failures';
import { useJob } from '../../kit/job/useJobs';
import { Callout } from '../../ui/Callout';
import { EmptyState } from '../../ui/EmptyState';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { IconButton } from '../../ui/IconButton';
import { JobProgress } from '../../ui/JobProgress';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { useThrottled } from '../../ui/useThrottled';
import { canRetry, redoneLabel, retryLabel } from './retry';
import { BatchJobs } from './BatchRow';
import { Elapsed } from './JobRow';
import { canCancel } from './JobActions';
import styles from './jobs.module.css';
import { JobLog } from './JobLog';
import { jobName } from '../../kit/job/kinds';
import { escapeControls } from './log-text';
import { useJobActions } from './useJobActions';
import { useRovingFocus } from './useRovingFocus';
import { formatCounts, stateLabel } from '../../kit/job/words';

type Props = { id: string; onShow: (id: string | undefined) => void };

const announceEveryMs = 5_000;

const foreignBatchHint = 'Aucune tâche de ce lot ne vous appartient. Le mode admin les affiche toutes.';

const JobLink = ({ id, children }: { id: string; children: string }) => (
  <Link to="." search={withJobParam(id)} resetScroll={false} className={styles['link'] ?? ''}>
    {children}
  </Link>
);

function Facts({ job }: { job: Job }) {
  const {
    actor_name: actor,
    attempts,
    retry_of: retryOf,
    redone_by: redoneBy,
    batch_id: batchId,
    server_id: serverId,
    server_name: serverName,
  } = job;
  return (
    <Group component="p" gap="0 12px" c="muted" fz={12} lh="18px">
      <Elapsed job={job} />
      {actor !== null && <span>{`par ${actor}`}</span>}
      {attempts > 1 && <span>{`${attempts}ᵉ essai`}</span>}
      {serverId !== null && (
        <Link to="/servers" search={{ open: serverId }} className={styles['link'] ?? ''}>
          {serverName === null ? 'Voir le serveur' : `Serveur ${serverName}`}
        </Link>
      )}
      {retryOf !== null && <JobLink id={retryOf}>Tâche d’origine</JobLink>}
      {redoneBy !== null && <JobLink id={redoneBy}>{redoneLabel}</JobLink>}
      {batchId !== null && <JobLink id={batchId}>Tout le lot</JobLink>}
    </Group>
  );
}

function JobFailure({ job: { error, state } }: { job: Job }) {
  if (!error) return null;
  const outputs = [error.stderr, error.stdout].flatMap((text) => text?.trim() || []);
  return (
    <Callout tone={state === 'unknown' ? 'warn' : 'danger'}>
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

function Batch({ job, onShow }: { job: Job; onShow: Props['onShow'] }) {
  const { dialog, ...handlers } = useJobActions(onShow);
  const { current, ...roving } = useRovingFocus([job.id], undefined);
  return (
    <Box data-batch={job.id} mx={-16} className={`${styles['rows']} ${styles['under']}`} {...roving}>
      <BatchJobs job={job} openId={undefined} current={current} handlers={handlers} />
      {dialog}
    </Box>
  );
}

function Head({ job, onShow }: { job: Job; onShow: Props['onShow'] }) {
  const { dialog, isRetrying, cancel, retry } = useJobActions(onShow);
  return (
    <Group component="header" gap="4px 8px" flex="none" p="4px 8px 0 16px">
      <IconButton
        icon={ArrowLeft}
        label="Toutes les tâches"
        className={styles['back']}
        onClick={() => onShow(undefined)}
      />
      <JobTitle job={job} />
      {canCancel(job) && (
        <Button variant="default" onClick={() => cancel(job)}>
          Annuler
        </Button>
      )}
      {canRetry(job) && (
        <Button variant="default" loading={isRetrying} onClick={() => retry(job)}>
          {retryLabel(job)}
        </Button>
      )}
      <IconButton
        icon={X}
        label="Fermer le détail"
        title="Fermer le détail"
        className={styles['close']}
        onClick={() => onShow(undefined)}
      />
      {dialog}
    </Group>
  );
}

function JobTitle({ job }: { job: Job }) {
  const { tone, word } = stateLabel(job);
  const announcement = useThrottled([word, job.progress?.step].filter(Boolean).join(', '), announceEveryMs);
  return (
    <Group gap="2px 10px" flex="1 1 180px" miw={0}>
      <Box component="h2" fz={14} lh="20px">
        {jobName(job)}
      </Box>
      <Status tone={tone}>{word}</Status>
      <output>
        <VisuallyHidden>{announcement}</VisuallyHidden>
      </output>
    </Group>
  );
}

function MissingJob({ error, onShow, onRetry }: { error: unknown; onShow: Props['onShow']; onRetry: () => void }) {
  const isDeleted = isApiError(error) && error.status === 404;
  return (
    <EmptyState
      icon={FileQuestion}
      role="alert"
      title={failureReason(error, 'Impossible de lire cette tâche.')}
      actions={
        <>
          {!isDeleted && <Button onClick={onRetry}>Réessayer</Button>}
          <Button variant="default" onClick={() => onShow(undefined)}>
            Toutes les tâches
          </Button>
        </>
      }
    />
  );
}

export function JobDetail({ id, onShow }: Props) {
  const { currentData: job, error, refetch } = useJob(id);
  return (
    <Stack component="section" aria-label="Tâche" gap={0} flex="1 1 0" miw={0} mih={0}>
      {!job && !error && <Skeleton rows={4} height={44} />}
      {!job && error && <MissingJob error={error} onShow={onShow} onRetry={() => void refetch()} />}
      {job && (
        <>
          <Head job={job} onShow={onShow} />
          <Stack gap={6} p="4px 16px 10px" className={styles['scroll']}>
            <Facts job={job} />
            {job.state === 'running' && job.progress && <JobProgress progress={job.progress} />}
            <JobFailure job={job} />
            {error && (
              <Text c="warn" fz={12}>
                Vigie ne répond pas&#160;: ce qui est affiché peut dater.
              </Text>
            )}
            {job.counts && <Text variant="hint">{formatCounts({ kind: job.kind, counts: job.counts })}</Text>}
            {job.counts?.total === 0 && <Text variant="hint">{foreignBatchHint}</Text>}
            {job.counts ? <Batch job={job} onShow={onShow} /> : <JobLog job={job} />}
          </Stack>
        </>
      )}
    </Stack>
  );
}
