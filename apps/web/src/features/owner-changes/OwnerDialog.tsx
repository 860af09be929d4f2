import { Checkbox, Stack } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import type { OwnerPlan } from '@vigie/contracts/owner-changes';
import type { AdminUser } from '@vigie/contracts/users';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useAllUsers } from '../../kit/fleet/people';
import { useUser } from '../../kit/fleet/users';
import { failureReason } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { ReadFailed } from '../../ui/ReadFailed';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { ownerChangesApi, type Target } from './owner-changes.api';
import { givenSentence, nameTarget, planSentences, privateSentence } from './words';

/** Plans the change once somebody is chosen. */
function usePlan({ kind, ids }: Target, userId: string) {
  const params = { kind, ids: [...ids], user_id: userId };
  const { currentData, error, isFetching, refetch } = ownerChangesApi.usePlanOwnerQuery(
    userId === '' ? skipToken : params,
    {
      refetchOnMountOrArgChange: true,
    },
  );
  const sentence = failureReason(error, 'Le plan n’a pas pu être établi.');
  return { plan: currentData, failure: error && !isFetching ? sentence : undefined, isFetching, refetch };
}

const initialChoices = { with_backups: true, with_uploads: false };
type Choices = typeof initialChoices;

function useChange(target: Target, onDone: () => void) {
  const [changeOne, one] = ownerChangesApi.useChangeOwnerMutation();
  const [changeSites, many] = ownerChangesApi.useChangeOwnerOfSitesMutation();
  const { kind, ids } = target;
  const [id = ''] = ids;
  const change = async (person: AdminUser, choices: Choices, { sites, servers, groups }: OwnerPlan) => {
    const expected = { sites: sites.total, servers: servers.total, groups: groups.total };
    const fields = { ...choices, user_id: person.id, expected };
    const { error } = await (ids.length > 1
      ? changeSites({ ids: [...ids], ...fields })
      : changeOne({ kind, id, ...fields }));
    if (error) return;
    toast.success(givenSentence(target, person.name));
    onDone();
  };
  return { change, call: ids.length > 1 ? many : one };
}

type PersonProps = { people: readonly AdminUser[]; isLoading: boolean; value: string; onChange: (id: string) => void };

const PersonField = ({ people, isLoading, value, onChange }: PersonProps) => (
  <SelectField
    label="Nouveau propriétaire"
    data-autofocus
    data={[
      { value: '', label: isLoading ? 'Chargement…' : 'Choisir une personne' },
      ...people.map(({ id, name, email }) => ({ value: id, label: name === email ? name : `${name} (${email})` })),
    ]}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

type PlanProps = { plan: OwnerPlan; person: string; choices: Choices; onChange: (choices: Choices) => void };

/** What would happen, and what the user decides about it. */
const Plan = ({ plan, person, choices, onChange }: PlanProps) => (
  <Stack gap={12}>
    <ul className={planLine['notes']}>
      {planSentences(plan, person).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {plan.private_hosts.total > 0 && <Callout tone="warn">{privateSentence(plan, person)}</Callout>}
    {plan.backups > 0 && (
      <Checkbox
        label={`Emporter aussi ${plural(plan.backups, 'sauvegarde stockée', 'sauvegardes stockées')} dans Vigie`}
        description="Sinon, elles restent à leur propriétaire actuel."
        checked={choices.with_backups}
        onChange={(event) => onChange({ ...choices, with_backups: event.currentTarget.checked })}
      />
    )}
    {plan.uploads > 0 && (
      <Checkbox
        label={`Emporter aussi ${plural(plan.uploads, 'archive d’extension', 'archives d’extensions')}`}
        description="Celles d’extensions qu’aucun autre de ses sites n’a."
        checked={choices.with_uploads}
        onChange={(event) => onChange({ ...choices, with_uploads: event.currentTarget.checked })}
      />
    )}
  </Stack>
);

type Props = { target: Target; onDone: () => void; onClose: () => void };

/** Gives a site, a server, a group or several sites to another owner, after saying what goes along. */
export function OwnerDialog({ target, onDone, onClose }: Props) {
  const ownId = useUser()?.id;
  const { users, isLoading } = useAllUsers();
  const [userId, setUserId] = useState('');
  const [choices, setChoices] = useState(initialChoices);
  const { plan, failure, isFetching, refetch } = usePlan(target, userId);
  const { change, call } = useChange(target, onDone);
  const people = users.filter(({ id }) => target.name === undefined || id !== (target.ownerId ?? ownId));
  const person = people.find(({ id }) => id === userId);
  return (
    <FormDialog title={`Confier ${nameTarget(target)}`} onClose={onClose}>
      <DialogForm
        action="Confier"
        isDisabled={!plan || !person}
        call={call}
        onSubmit={() => plan && person && void change(person, choices, plan)}
        onCancel={onClose}
      >
        <PersonField people={people} isLoading={isLoading} value={userId} onChange={setUserId} />
        {plan && person && <Plan plan={plan} person={person.name} choices={choices} onChange={setChoices} />}
        {!plan && isFetching && <Skeleton rows={2} />}
        {failure !== undefined && <ReadFailed sentence={failure} onRetry={refetch} />}
      </DialogForm>
    </FormDialog>
  );
}
