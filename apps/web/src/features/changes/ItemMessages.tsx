import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import type { ItemStatus } from './useSiteChanges';
import { joinError, outcomeLabel, stepText } from './words';

type Props = { name: string; status: ItemStatus; onDismiss: (jobId?: string) => void };

/** The running, refused or failed job of an item, under its row. */
export function ItemMessages({ name, status: { open, failed, refusal, isBusy }, onDismiss }: Props) {
  const outcome = failed && outcomeLabel(failed);
  return (
    <JobMessages>
      {isBusy && <RunningJob name={name} step={open ? stepText(open) : 'Demande en cours'} job={open} />}
      {!isBusy && refusal !== undefined && (
        <RefusedRequest name={name} message={refusal} onDismiss={() => onDismiss()} />
      )}
      {!isBusy && refusal === undefined && failed && outcome && (
        <FailedJob
          name={name}
          job={failed}
          tone={outcome.tone === 'danger' ? 'danger' : 'warn'}
          word={outcome.word}
          formatError={joinError}
          onDismiss={() => onDismiss(failed.id)}
        />
      )}
    </JobMessages>
  );
}
