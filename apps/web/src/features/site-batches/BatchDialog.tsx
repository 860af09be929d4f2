import { Button } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import type { SiteBatchLine, SiteBatchVerb } from '@vigie/contracts/site-batches';
import { CloudOff } from 'lucide-react';
import { useState } from 'react';
import { reasonOf } from '../../app/failed';
import { useGroups } from '../../app/groups';
import { CheckField } from '../../ui/CheckField';
import dialog from '../../ui/DialogForm.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { BatchLines } from './BatchLines';
import { siteBatchesApi } from './site-batches.api';
import { useBegin } from './useBegin';
import { words } from './words';

type Props = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  /** It was begun, or is done. */
  onDone: (verb: SiteBatchVerb) => void;
  onClose: () => void;
};

function GroupChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { lines, isLoading } = useGroups();
  const none = isLoading ? 'Chargement…' : lines.length === 0 ? 'Aucun groupe pour l’instant' : 'Choisir…';
  return (
    <SelectField
      label="Groupe"
      data-autofocus
      data={[
        { value: '', label: none },
        ...lines.map(({ group: { id, name }, depth }) => ({ value: id, label: `${'\u2003'.repeat(depth)}${name}` })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const isOfGroup = (verb: SiteBatchVerb) => verb === 'join' || verb === 'leave';

/** From what is known, once it is known of which group. */
function usePlan(verb: SiteBatchVerb, ids: readonly string[], group: string) {
  const asked = { verb, ids: [...ids], ...(group !== '' && { group_id: group }) };
  const plan = siteBatchesApi.usePlanSiteBatchQuery(isOfGroup(verb) && group === '' ? skipToken : asked, {
    refetchOnMountOrArgChange: true,
  });
  const { error, isFetching } = plan;
  const sentence = reasonOf(error, 'Le plan n’a pas pu être établi.');
  return {
    lines: plan.currentData?.items,
    failure: error && !isFetching ? sentence : undefined,
    isFetching,
    refetch: plan.refetch,
  };
}

type PlanProps = {
  plan: ReturnType<typeof usePlan>;
  off: ReadonlySet<string>;
  onSwitch: (lines: readonly SiteBatchLine[], isOn: boolean) => void;
};

function Plan({ plan: { lines, failure, isFetching, refetch }, ...rest }: PlanProps) {
  if (lines) return <BatchLines lines={lines} {...rest} />;
  if (failure === undefined) return isFetching ? <Skeleton rows={4} /> : null;
  const again = <RetryButton onRetry={refetch} />;
  return <EmptyState icon={CloudOff} role="alert" title={failure} actions={again} />;
}

/** What would be done to each of the chosen sites, before any of it is; the focus starts on the way out. */
export function BatchDialog({ verb, ids, onDone, onClose }: Props) {
  const [groupId, setGroup] = useState('');
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [withCache, setWithCache] = useState(false);
  const group = useGroups().groups.find(({ id }) => id === groupId);
  const plan = usePlan(verb, ids, groupId);
  const { begin, failure, isSending } = useBegin((done) => {
    onClose();
    onDone(done);
  });
  const kept = (plan.lines ?? []).filter(({ site_id: id, refusal }) => refusal === null && !off.has(id));
  const switchLines = (lines: readonly SiteBatchLine[], isOn: boolean) => {
    const named = lines.map(({ site_id: id }) => id);
    setOff(new Set(isOn ? [...off].filter((id) => !named.includes(id)) : [...off, ...named]));
  };
  const { title, what, action } = words[verb];
  return (
    <FormDialog title={title(ids.length)} isWide onClose={onClose}>
      <div className={dialog['content']}>
        <ul className={planLine['notes']}>
          {what.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {isOfGroup(verb) && <GroupChoice value={groupId} onChange={setGroup} />}
        {verb === 'backup' && (
          <CheckField label="Sauvegarder aussi le cache" isOn={withCache} onChange={setWithCache} />
        )}
        <Plan plan={plan} off={off} onSwitch={switchLines} />
      </div>
      <div className={dialog['foot']}>
        <Failure sentence={failure} />
        <div className={dialog['actions']}>
          <Button variant="default" {...(!isOfGroup(verb) && { 'data-autofocus': true })} onClick={onClose}>
            Annuler
          </Button>
          <Button
            {...(verb === 'delete' && { color: 'danger' })}
            disabled={kept.length === 0}
            loading={isSending}
            onClick={() => begin({ verb, ids: kept.map(({ site_id: id }) => id), group, withCache })}
          >
            {kept.length === 0 ? action : `${action} ${plural(kept.length, 'site', 'sites')}`}
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
