import { Group } from '@mantine/core';
import { isFinal } from '@vigie/contracts/jobs';
import { X } from 'lucide-react';
import { SeeJob } from '../../kit/job/JobMessages';
import { jobName } from '../../kit/job/kinds';
import { useJob } from '../../kit/job/useJobs';
import { formatStanding, stateLabel } from '../../kit/job/words';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import { Status } from '../../ui/Status';
import { startedBatch } from './started-batch';

/** One line about the last bulk action: how far it is, and what came of it. */
export function BatchOutcome() {
  const { currentData: job } = useJob(useSignal(startedBatch));
  if (!job) return null;
  const { tone, word } = stateLabel(job);
  return (
    <Group component="output" gap="4px 12px" fz={13}>
      <Status tone={tone}>{word}</Status>
      <span>{`${jobName(job)} · ${formatStanding(job)}`}</span>
      <SeeJob id={job.id} label="Voir la tâche de la dernière action groupée" />
      {isFinal(job.state) && (
        <IconButton icon={X} label="Masquer ce résultat" onClick={() => startedBatch.set(undefined)} />
      )}
    </Group>
  );
}
