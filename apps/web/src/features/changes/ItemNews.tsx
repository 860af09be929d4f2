import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../app/JobMessages';
import type { Standing } from './useSiteChanges';
import { joined, outcomeOf, stepOf } from './words';

type Props = { name: string; standing: Standing; onDismiss: (job?: string) => void };

/** The running, refused or failed job of an item, under its row. */
export function ItemNews({ name, standing: { open, failed, refusal, isBusy }, onDismiss }: Props) {
  const outcome = failed && outcomeOf(failed);
  return (
    <JobMessages>
      {isBusy && <RunningJob name={name} step={open ? stepOf(open) : 'Demande en cours'} job={open} />}
      {!isBusy && refusal !== undefined && <RefusedRequest name={name} message={refusal} onDismiss={() => onDismiss()} />}
      {!isBusy && refusal === undefined && failed && outcome && (
        <FailedJob
          name={name}
          job={failed}
          tone={outcome.tone === 'danger' ? 'danger' : 'warn'}
          word={outcome.word}
          formatError={joined}
          onDismiss={() => onDismiss(failed.id)}
        />
      )}
    </JobMessages>
  );
}
