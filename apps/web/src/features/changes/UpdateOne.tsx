import { Button } from '@mantine/core';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { ArrowUpCircle } from 'lucide-react';
import { useState } from 'react';
import { isApiError } from '../../app/api-error';
import { toastFailure } from '../../app/tellFailure';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../app/JobMessages';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { useJob } from '../../app/useJob';
import { Status } from '../../ui/Status';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { changesApi } from './changes.api';
import { orderOf } from './orders';
import styles from './UpdateOne.module.css';
import { useOutcomes } from './useOutcomes';
import { isOfLicence, licenceMissing, outcomeOf, receivedRefusal, spellReceived, stepOf } from './words';

type Props = {
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  hasUpdate: boolean;
  isBlocked: boolean;
  /** The id of a job that already runs for the plugin. */
  job: string | null;
};

const failed = 'Échec de la mise à jour';

/** Starts an update and follows its job. */
function useUpdate({ site, plugin, job }: Props) {
  const [change, { isLoading }] = changesApi.useChangeMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [asked, setAsked] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const id = asked ?? job ?? undefined;
  const { currentData: whole, error: lost } = useJob(id);
  const begin = useOutcomes(whole ? [whole] : [], ({ error }) => spellReceived(error));
  // A deleted job counts as ended.
  const isOver = whole ? isFinal(whole.state) : isApiError(lost) && lost.status === 404;
  const start = async (): Promise<void> => {
    setRefusal(undefined);
    const order = orderOf('update', { kind: 'plugin', slug: plugin.slug });
    const { data, error } = await change({ site: site.id, order, idempotencyKey: keyFor({ site: site.id, order }) });
    if (data) {
      renewKey();
      begin(data.job_id);
      return setAsked(data.job_id);
    }
    const sentence = receivedRefusal(error, failed);
    toastFailure(sentence, error);
    setRefusal(sentence);
  };
  const dismiss = () => {
    setRefusal(undefined);
    setAsked(undefined);
  };
  return {
    start: () => void start(),
    dismiss,
    refusal,
    whole,
    isBusy: isLoading || (id !== undefined && !isOver),
    ended: asked !== undefined && isOver ? whole : undefined,
  };
}

const faultOf = (ended: JobItem | undefined) =>
  ended && ended.state !== 'succeeded' && ended.state !== 'cancelled' ? ended : undefined;

/** The host refused because a licence is missing. */
const isRefused = (fault: JobItem | undefined): boolean => Boolean(fault?.error && isOfLicence(fault.error));

type OfferProps = Pick<Props, 'site' | 'plugin' | 'isBlocked'> & { onStart: () => void };

/** The button disappears when the update starts, and moves the focus to its row. */
function Offer({ site, plugin, isBlocked, onStart }: OfferProps) {
  const offer = useFocusHandOver<HTMLDivElement>('[data-keeps-focus]');
  return (
    <div ref={offer} className={styles['offer']}>
      {isBlocked && (
        <span title={licenceMissing}>
          <Status tone="licence">Licence requise</Status>
        </span>
      )}
      <Button
        variant="default"
        aria-label={`Mettre à jour ${plugin.name} sur ${site.name}`}
        title={isBlocked ? licenceMissing : undefined}
        disabled={isBlocked}
        leftSection={<ArrowUpCircle size={16} aria-hidden />}
        onClick={onStart}
      >
        Mettre à jour
      </Button>
    </div>
  );
}

/** The update of a plugin on one site. */
export function UpdateOne(props: Props) {
  const { site, plugin, hasUpdate } = props;
  const { start, dismiss, refusal, whole, isBusy, ended } = useUpdate(props);
  const fault = faultOf(ended);
  const isBlocked = props.isBlocked || isRefused(fault) || refusal === licenceMissing;
  return (
    <div className={styles['update']}>
      {hasUpdate && ended?.state !== 'succeeded' && !isBusy && (
        <Offer site={site} plugin={plugin} isBlocked={isBlocked} onStart={start} />
      )}
      <JobMessages>
        {isBusy && (
          <RunningJob
            name={`${plugin.name} sur ${site.name}`}
            step={whole ? stepOf(whole) : 'Demande en cours'}
            job={whole}
          />
        )}
        {refusal !== undefined && <RefusedRequest name={site.name} message={refusal} onDismiss={dismiss} />}
        {fault && (
          <FailedJob
            name={site.name}
            job={fault}
            tone={outcomeOf(fault).tone === 'danger' ? 'danger' : 'warn'}
            word={outcomeOf(fault).word}
            formatError={spellReceived}
            onDismiss={dismiss}
          />
        )}
      </JobMessages>
    </div>
  );
}
