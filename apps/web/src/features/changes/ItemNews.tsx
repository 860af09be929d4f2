import { Failed, News, Refused, Running } from '../../app/JobNews';
import type { Standing } from './useSiteChanges';
import { joined, outcomeOf, stepOf } from './words';

type Props = { name: string; standing: Standing; onDismiss: (job?: string) => void };

/** The running, refused or failed job of an item, under its row. */
export function ItemNews({ name, standing: { open, failed, refusal, isBusy }, onDismiss }: Props) {
  const outcome = failed && outcomeOf(failed);
  return (
    <News>
      {isBusy && <Running name={name} step={open ? stepOf(open) : 'Demande en cours'} job={open} />}
      {!isBusy && refusal !== undefined && <Refused name={name} sentence={refusal} onDismiss={() => onDismiss()} />}
      {!isBusy && refusal === undefined && failed && outcome && (
        <Failed
          name={name}
          job={failed}
          tone={outcome.tone === 'danger' ? 'danger' : 'warn'}
          word={outcome.word}
          spell={joined}
          onDismiss={() => onDismiss(failed.id)}
        />
      )}
    </News>
  );
}
