import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { foldText } from '@vigie/contracts/search-text';
import { createTeam, type Team } from '@vigie/contracts/teams';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { useAllUsers } from '../../kit/fleet/people';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { ChoiceLegend, ChoiceList } from '../../ui/ChoiceList';
import { Failure } from '../../ui/Failure';
import { toast } from '../../ui/toasts';
import { teamsApi } from './teams.api';

type Values = { name: string; members: readonly string[] };

const noMembers: readonly string[] = [];
const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

function useTeamForm(stored: Team | undefined, onClose: () => void) {
  // Keeps the team as it was when the dialog opened, even if the list is read again.
  const [team] = useState(stored);
  const [create, creation] = teamsApi.useCreateTeamMutation();
  const [edit, edition] = teamsApi.useEditTeamMutation();
  const initial: Values = { name: team?.name ?? '', members: team?.user_ids ?? noMembers };
  const form = useDraftForm<Values>({
    name: `team ${team?.id ?? 'new'}`,
    initial,
    normalize: ({ name, ...rest }) => ({ ...rest, name: name.trim() }),
    validate: (values) =>
      schemaErrors(createTeam.input.pick({ name: true, user_ids: true }), values, {
        name: values.name,
        user_ids: values.members,
      }),
    isChanged: ({ name, members }) => name !== initial.name || !isSame(members, initial.members),
  });
  const save = async ({ name, members }: Values) => {
    const fields = { name, user_ids: members };
    const { data } = await (team ? edit({ id: team.id, ...fields }) : create(fields));
    if (!data) return;
    toast.success(team ? `Équipe ${data.name} enregistrée.` : `Équipe ${data.name} créée.`);
    onClose();
  };
  return { team, form, save, call: team ? edition : creation };
}

type MembersProps = { value: readonly string[]; onChange: (ids: string[]) => void };

function Members({ value, onChange }: MembersProps) {
  const [query, setQuery] = useState('');
  const { users, isListed, isLoading } = useAllUsers();
  const words = foldText(query.trim());
  const found = users.filter(({ name, email }) => foldText(`${name} ${email}`).includes(words));
  const known = value.filter((id) => users.some((user) => user.id === id));
  return (
    <fieldset>
      <ChoiceLegend count={known.length}>Membres</ChoiceLegend>
      <Failure sentence={isListed ? undefined : 'Impossible de charger les utilisateurs.'} />
      <ChoiceList
        choices={found.map(({ id, name, email }) => ({ id, label: name === email ? name : `${name} (${email})` }))}
        value={value}
        onChange={onChange}
        search={{ label: 'Rechercher une personne', value: query, onChange: setQuery }}
        none={isLoading ? 'Chargement…' : 'Personne ne correspond.'}
      />
    </fieldset>
  );
}

type Props = { team: Team | undefined; onClose: () => void };

export function TeamDialog({ team: stored, onClose }: Props) {
  const { team, form, save, call } = useTeamForm(stored, onClose);
  const lost = 'Les modifications de cette équipe seront perdues.';
  const { close, guard } = useCloseGuard({ isDirty: form.isDirty, undone: 'enregistrer', lost, onClose });
  return (
    <FormDialog title={team ? 'Modifier l’équipe' : 'Nouvelle équipe'} onClose={close}>
      <DialogForm
        action={team ? 'Enregistrer' : 'Créer l’équipe'}
        call={call}
        failure={form.errors.members}
        onSubmit={form.submit(save)}
        onCancel={close}
      >
        <TextInput data-autofocus label="Nom" maxLength={100} autoComplete="off" {...form.field('name')} />
        <Members value={form.values.members} onChange={(members) => form.change({ members })} />
      </DialogForm>
      {guard}
    </FormDialog>
  );
}
