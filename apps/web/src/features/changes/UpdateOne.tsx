import { Button } from '@mantine/core';
import { isFinal } from '@vigie/contracts/jobs';
import { ArrowUpCircle } from 'lucide-react';
import { useState } from 'react';
import { detailsOf, isApiError } from '../../app/api-error';
import { Failed, News, Refused, Running } from '../../app/JobNews';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { useJob } from '../../app/useJob';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toasts';
import { changesApi } from './changes.api';
import { orderOf } from './orders';
import styles from './UpdateOne.module.css';
import { useOutcomes } from './useOutcomes';
import { isOfLicence, licenceMissing, outcomeOf, refusalOf, spellReceived, stepOf } from './words';

type Props = {
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  hasUpdate: boolean;
  isBlocked: boolean;
  /** What is under way with it already. */
  job: string | null;
};

const failed = 'Échec de la mise à jour';

/** Asks for the update, and follows it to its end: what is shown beside it is read again then. */
function useUpdate({ site, plugin, job }: Props) {
  const [change, { isLoading }] = changesApi.useChangeMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [asked, setAsked] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const id = asked ?? job ?? undefined;
  const { currentData: whole } = useJob(id);
  const begin = useOutcomes(whole ? [whole] : [], ({ error }) => spellReceived(error));
  const isOver = whole !== undefined && isFinal(whole.state);
  const start = async (): Promise<void> => {
    setRefusal(undefined);
    const order = orderOf('update', { kind: 'plugin', slug: plugin.slug });
    const { data, error } = await change({ site: site.id, order, idempotencyKey: keyFor({ site: site.id, order }) });
    if (data) {
      renewKey();
      begin(data.job_id);
      return setAsked(data.job_id);
    }
    const sentence = refusalOf(error, failed);
    toast.error(sentence, isApiError(error) ? detailsOf(error) : undefined);
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

type Update = ReturnType<typeof useUpdate>;

function Offer({ site, plugin, isBlocked, onStart }: Omit<Props, 'hasUpdate' | 'job'> & { onStart: () => void }) {
  return (
    <div className={styles['offer']}>
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

function Told({ site, plugin, update, fault }: Pick<Props, 'site' | 'plugin'> & { update: Update; fault: Fault }) {
  const { isBusy, whole, refusal, dismiss } = update;
  return (
    <News>
      {isBusy && (
        <Running
          name={`${plugin.name} sur ${site.name}`}
          step={whole ? stepOf(whole) : 'Demande en cours'}
          job={whole}
        />
      )}
      {refusal !== undefined && <Refused name={site.name} sentence={refusal} onDismiss={dismiss} />}
      {fault && (
        <Failed
          name={site.name}
          job={fault}
          tone={outcomeOf(fault).tone === 'danger' ? 'danger' : 'warn'}
          word={outcomeOf(fault).word}
          spell={spellReceived}
          onDismiss={dismiss}
        />
      )}
    </News>
  );
}

type Fault = Update['ended'];

const faultOf = (ended: Update['ended']): Fault =>
  ended?.state === 'succeeded' || ended?.state === 'cancelled' ? undefined : ended;

/** The update of a plugin on one of the sites that have it. */
export function UpdateOne(props: Props) {
  const { site, plugin, hasUpdate } = props;
  const update = useUpdate(props);
  const fault = faultOf(update.ended);
  const isMissing = fault?.error ? isOfLicence(fault.error) : update.refusal === licenceMissing;
  const isOffered = hasUpdate && !update.isBusy && update.ended?.state !== 'succeeded';
  return (
    <div className={styles['update']}>
      {isOffered && (
        <Offer site={site} plugin={plugin} isBlocked={props.isBlocked || isMissing} onStart={update.start} />
      )}
      <Told site={site} plugin={plugin} update={update} fault={fault} />
    </div>
  );
}
