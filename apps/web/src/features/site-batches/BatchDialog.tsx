import { Button, Checkbox } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { groupSites, type SiteBatchLine, type SiteBatchVerb } from '@vigie/contracts/site-batches';
import { useState } from 'react';
import { failureReason } from '../../kit/query/failures';
import { allows } from '../../kit/fleet/roles';
import { useGroups } from '../../kit/fleet/groups';
import dialog from '../../kit/dialog/dialog.module.css';
import { ReadFailed } from '../../ui/ReadFailed';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { BatchLines } from './BatchLines';
import { siteBatchesApi } from './site-batches.api';
import { batchTexts } from './words';
import { markStarted } from '../../kit/job/outcomes';
import { siteCalls } from '../../kit/fleet/sites';
import { toast } from '../../ui/toasts';

type Form = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  group: { id: string; name: string } | undefined;
  withCache: boolean;
};

/** Sends the call of a verb. */
function useBatchMutation() {
  const [test, testing] = siteCalls.useTestSitesMutation();
  const [backup, backingUp] = siteBatchesApi.useBackupSitesMutation();
  const [move, moving] = siteBatchesApi.useGroupSitesMutation();
  const [remove, removing] = siteBatchesApi.useDeleteSitesMutation();
  const send = ({ verb, ids: siteIds, group, withCache }: Form) => {
    const ids = [...siteIds];
    if (verb === 'test') return test({ ids });
    if (verb === 'backup') return backup({ ids, exclude_cache: !withCache });
    if (verb === 'delete') return remove({ ids });
    return move({ ids, verb, group_id: group?.id ?? '' });
  };
  const calls = { test: testing, backup: backingUp, join: moving, leave: moving, delete: removing };
  return { send, calls };
}

/** Starts a batch. The dock follows its jobs; a batch without jobs is done at once. */
function useStartBatch(verb: SiteBatchVerb, onDone: (jobId?: string) => void) {
  const { send, calls } = useBatchMutation();
  const startBatch = async (form: Omit<Form, 'verb'>): Promise<void> => {
    const { data } = await send({ ...form, verb });
    if (!data) return;
    toast.success(batchTexts[verb].done(form.ids.length, form.group?.name ?? ''));
    const jobId = 'job_id' in data ? data.job_id : undefined;
    onDone(jobId);
    if (jobId !== undefined) markStarted(jobId);
  };
  return { startBatch: (form: Omit<Form, 'verb'>) => void startBatch(form), call: calls[verb] };
}

type Props = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  /** Called once the batch is started with its job, or done at once. */
  onDone: (jobId?: string) => void;
  onClose: () => void;
};

function GroupChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { lines: allLines, isLoading } = useGroups();
  const lines = allLines.filter(({ group }) => allows(group, groupSites));
  const placeholder = isLoading ? 'Chargement…' : lines.length === 0 ? 'Aucun groupe pour l’instant' : 'Choisir…';
  return (
    <SelectField
      label="Groupe"
      data-autofocus
      data={[
        { value: '', label: placeholder },
        ...lines.map(({ group: { id, name }, depth }) => ({ value: id, label: `${'\u2003'.repeat(depth)}${name}` })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const needsGroup = (verb: SiteBatchVerb) => verb === 'join' || verb === 'leave';

/** Plans the batch from stored data; a batch on a group waits for the choice of the group. */
function usePlan(verb: SiteBatchVerb, ids: readonly string[], groupId: string) {
  const params = { verb, ids: [...ids], ...(groupId !== '' && { group_id: groupId }) };
  const plan = siteBatchesApi.usePlanSiteBatchQuery(needsGroup(verb) && groupId === '' ? skipToken : params, {
    refetchOnMountOrArgChange: true,
  });
  const { error, isFetching } = plan;
  const sentence = failureReason(error, 'Le plan n’a pas pu être établi.');
  return {
    lines: plan.currentData?.items,
    failure: error && !isFetching ? sentence : undefined,
    isFetching,
    refetch: plan.refetch,
  };
}

type PlanProps = {
  plan: ReturnType<typeof usePlan>;
  excluded: ReadonlySet<string>;
  onToggle: (lines: readonly SiteBatchLine[], isOn: boolean) => void;
};

function Plan({ plan: { lines, failure, isFetching, refetch }, ...rest }: PlanProps) {
  if (lines) return <BatchLines lines={lines} {...rest} />;
  if (failure === undefined) return isFetching ? <Skeleton rows={4} /> : null;
  return <ReadFailed sentence={failure} onRetry={refetch} />;
}

/** Shows the plan for each selected site before anything starts. The focus starts on Cancel. */
export function BatchDialog({ verb, ids, onDone, onClose }: Props) {
  const [groupId, setGroupId] = useState('');
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [withCache, setWithCache] = useState(false);
  const group = useGroups().groups.find(({ id }) => id === groupId);
  const plan = usePlan(verb, ids, groupId);
  const { startBatch, call } = useStartBatch(verb, (jobId) => {
    onClose();
    onDone(jobId);
  });
  const included = (plan.lines ?? []).filter(({ site_id: id, refusal }) => refusal === null && !excluded.has(id));
  const toggleLines = (lines: readonly SiteBatchLine[], isOn: boolean) => {
    const lineIds = lines.map(({ site_id: id }) => id);
    setExcluded(new Set(isOn ? [...excluded].filter((id) => !lineIds.includes(id)) : [...excluded, ...lineIds]));
  };
  const { title, notes, action } = batchTexts[verb];
  return (
    <FormDialog title={title(ids.length)} isWide onClose={onClose}>
      <div className={dialog['content']}>
        <Notes sentences={notes} />
        {needsGroup(verb) && <GroupChoice value={groupId} onChange={setGroupId} />}
        {verb === 'backup' && <CacheChoice isOn={withCache} onChange={setWithCache} />}
        <Plan plan={plan} excluded={excluded} onToggle={toggleLines} />
      </div>
      <DialogFoot call={call} isCautious={!needsGroup(verb)} onCancel={onClose}>
        <Button
          {...(verb === 'delete' && { color: 'danger' })}
          disabled={included.length === 0}
          loading={call.isLoading}
          onClick={() => startBatch({ ids: included.map(({ site_id: id }) => id), group, withCache })}
        >
          {included.length === 0 ? action : `${action} ${plural(included.length, 'site', 'sites')}`}
        </Button>
      </DialogFoot>
    </FormDialog>
  );
}

const Notes = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className={planLine['notes']}>
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

const CacheChoice = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox
    label="Sauvegarder aussi le cache"
    checked={isOn}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
