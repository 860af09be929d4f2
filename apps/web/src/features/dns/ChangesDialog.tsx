import { Button, Stack, Text } from '@mantine/core';
import type { BulkResult, DnsDifference } from '@vigie/contracts/dns-changes';
import { Equal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import styles from '../../kit/dialog/dialog.module.css';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { type CallState, failureReason } from '../../kit/query/failures';
import { ReadFailed } from '../../ui/ReadFailed';
import { Callout } from '../../ui/Callout';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { Differences } from './Differences';
import { hasZoneChanged } from './differences';
import { resultStates, spellName } from './words';

type OutcomeProps = {
  result: BulkResult;
  /** Names the change with this index in the request. */
  nameOf: (index: number) => string;
};

/** Lists the changes that were not made, each with its reason. */
function Outcome({ result: { results, done, stopped, retry_after: retryAfter }, nameOf }: OutcomeProps) {
  const remaining = results.filter(({ state }) => state !== 'done');
  return (
    <div role="alert">
      <Callout tone="warn">
        <p>
          {`${plural(done, 'changement enregistré', 'changements enregistrés')}, ${plural(remaining.length, 'reste', 'restent')} à faire.`}
        </p>
        {stopped !== null && <p>{stopped}</p>}
        {retryAfter !== null && <p>{`Réessayez dans ${plural(retryAfter, 'seconde', 'secondes')}.`}</p>}
      </Callout>
      <Lines aria-label="Ce qui n’a pas été fait">
        {remaining.map(({ index, state, message }) => (
          <Stack component="li" key={index} gap={2} py={8}>
            <code>{nameOf(index)}</code>
            <Text variant="note">{message ?? resultStates[state]}</Text>
          </Stack>
        ))}
      </Lines>
    </div>
  );
}

type PreviewAnswer = {
  data?: { differences: readonly DnsDifference[]; left_out: number } | undefined;
  error?: unknown;
  isLoading: boolean;
};

type Props = {
  title: string;
  zoneName: string;
  answer: PreviewAnswer;
  /** Shown above the differences. */
  children?: ReactNode;
  action: string;
  isDangerous?: boolean;
  call: CallState;
  result: BulkResult | undefined;
  onRetry: () => void;
  onApply: () => void;
  onClose: () => void;
};

function ChangesPreview({
  answer: { data, error, isLoading },
  zoneName,
  onRetry,
}: Pick<Props, 'answer' | 'zoneName' | 'onRetry'>) {
  if (isLoading || (!data && !error)) return <Skeleton rows={3} height={56} />;
  if (!data) {
    return <ReadFailed sentence={failureReason(error, 'Failed to load changes')} onRetry={onRetry} />;
  }
  const changing = data.differences.filter(({ action }) => action !== 'none');
  if (changing.length === 0) return <EmptyState icon={Equal} title="Rien ne changerait." />;
  return <Differences differences={changing} leftOut={data.left_out} zoneName={zoneName} />;
}

/** Shows all changes before any is sent. The focus starts on Cancel. */
export function ChangesDialog({ title, zoneName, answer, children, action, isDangerous = false, ...rest }: Props) {
  const { call, result, onRetry, onApply, onClose } = rest;
  const [sentDifferences, setSentDifferences] = useState<readonly DnsDifference[]>([]);
  const differences = answer.data?.differences ?? [];
  const isReady =
    !answer.isLoading && differences.some((difference) => difference.action !== 'none' && difference.refusal === null);
  const send = () => {
    setSentDifferences(differences);
    onApply();
  };
  // Results refer to the differences that were sent: a later preview numbers them anew.
  const nameOf = (index: number) => {
    const record = sentDifferences[index]?.before ?? sentDifferences[index]?.after;
    return record ? `${spellName(record.name, zoneName)} ${record.type} ${record.content}` : `Changement ${index + 1}`;
  };
  return (
    <FormDialog title={title} isWide onClose={onClose}>
      <div className={styles['content']}>
        {children}
        {result ? (
          <Outcome result={result} nameOf={nameOf} />
        ) : (
          <ChangesPreview answer={answer} zoneName={zoneName} onRetry={onRetry} />
        )}
      </div>
      <DialogFoot call={call} cancel={result ? 'Fermer' : 'Annuler'} isCautious onCancel={onClose}>
        {!result && (
          <Button {...(isDangerous && { color: 'danger' })} disabled={!isReady} loading={call.isLoading} onClick={send}>
            {action}
          </Button>
        )}
      </DialogFoot>
    </FormDialog>
  );
}

type Send<F> = (fields: F) => PromiseLike<{ data?: BulkResult; error?: unknown }>;

type Callbacks = {
  onDone: () => void;
  /** Called when the zone changed since the preview: nothing was applied, and the preview must be loaded again. */
  onZoneChanged: () => void;
};

/** Applies many changes; `result` is set only where some of them failed. */
export function useApplyChanges<F>(send: Send<F>, { onDone, onZoneChanged }: Callbacks) {
  const [result, setResult] = useState<BulkResult>();
  const apply = async (fields: F) => {
    const { data, error } = await send(fields);
    if (hasZoneChanged(error)) onZoneChanged();
    if (!data) return;
    const isComplete = data.stopped === null && data.results.every(({ state }) => state === 'done');
    if (!isComplete) return setResult(data);
    toast.success(plural(data.done, 'changement enregistré.', 'changements enregistrés.'));
    onDone();
  };
  return { result, apply: (fields: F) => void apply(fields) };
}
