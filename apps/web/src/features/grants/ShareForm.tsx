import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type GrantRole, grantRoles } from '@vigie/contracts/grant-roles';
import type { Team } from '@vigie/contracts/teams';
import { findPerson } from '@vigie/contracts/users';
import { useEffect, useId } from 'react';
import { teamQueries } from '../../kit/fleet/teams';
import { useOtherUsers } from '../../kit/fleet/users';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';
import { type DraftForm, useDraftForm } from '../../kit/form/useDraftForm';
import { failureMessage, sentenceOf } from '../../kit/query/failures';
import { grantRoleLabel } from '../../kit/words/grant-roles';
import { Segments } from '../../ui/Choices';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { toast } from '../../ui/toasts';
import { grantsApi, type Target, targetFields } from './grants.api';
import { RoleChoice } from './RoleChoice';

type Kind = 'person' | 'team';
type Values = { kind: Kind; userId: string; email: string; teamId: string; role: GrantRole };

const blank: Values = { kind: 'person', userId: '', email: '', teamId: '', role: 'viewer' };

/** An administrator chooses among all users; others type an address, which nobody but the server knows to be right. */
function checkShare(values: Values, isListed: boolean): FormErrors<Values> {
  if (values.kind === 'team') return values.teamId === '' ? { teamId: 'Choisissez une équipe.' } : {};
  if (isListed) return values.userId === '' ? { userId: 'Choisissez une personne.' } : {};
  return schemaErrors<Values>(findPerson.input, values);
}

type Props = { target: Target; onDirty: (isDirty: boolean) => void };

function useShareForm({ target, onDirty }: Props, isListed: boolean) {
  const [find, search] = grantsApi.useFindPersonMutation();
  const [create, creation] = grantsApi.useCreateGrantMutation();
  const form = useDraftForm<Values>({
    name: `share ${target.id}`,
    initial: blank,
    validate: (values) => checkShare(values, isListed),
    normalize: ({ email, ...rest }) => ({ ...rest, email: email.trim() }),
    isChanged: ({ userId, email, teamId }) => [userId, email, teamId].some((value) => value !== ''),
  });
  const { isDirty } = form;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const findId = async (email: string) => {
    const { data, error } = await find({ email });
    if (data) return data.id;
    form.refuse('email', sentenceOf(error));
    form.focus('email');
    return undefined;
  };
  const save = async ({ kind, userId, email, teamId, role }: Values) => {
    if (search.isLoading || creation.isLoading) return;
    const id = kind === 'team' ? teamId : isListed ? userId : await findId(email);
    if (id === undefined) return;
    const who = kind === 'team' ? { team_id: id } : { user_id: id };
    const { data } = await create({ ...targetFields(target), ...who, role });
    if (!data) return;
    toast.success(`${target.name} est partagé avec ${data.name} (${grantRoleLabel(data.role)}).`);
    form.reset();
  };
  return { form, save: form.submit(save), creation, isSending: search.isLoading || creation.isLoading };
}

type FieldProps = { form: DraftForm<Values> };

function PersonField({ form, people }: FieldProps & { people: ReturnType<typeof useOtherUsers> }) {
  if (!people.isListed)
    return (
      <TextInput
        label="Adresse email"
        type="email"
        description="Celle de son compte Vigie, exactement."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        {...form.field('email')}
      />
    );
  const choices = people.users.map(({ id, name, email }) => ({
    value: id,
    label: name === email ? name : `${name} (${email})`,
  }));
  const none = people.isLoading ? 'Chargement…' : 'Choisir une personne';
  return <SelectField label="Personne" data={[{ value: '', label: none }, ...choices]} {...form.field('userId')} />;
}

const TeamField = ({ form, teams }: FieldProps & { teams: readonly Team[] }) => (
  <SelectField
    label="Équipe"
    data={[{ value: '', label: 'Choisir une équipe' }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
    {...form.field('teamId')}
  />
);

const kinds = [
  { value: 'person', label: 'Une personne' },
  { value: 'team', label: 'Une équipe' },
] as const;

/** Chooses between a person and a team where there are teams. */
function KindChoice({ form, teams }: FieldProps & { teams: ReturnType<typeof teamQueries.useTeamsQuery> }) {
  const failure = failureMessage(teams.error, 'Impossible de charger les équipes.');
  return (
    <>
      <Failure sentence={failure}>
        <RetryButton isBusy={teams.isFetching} onRetry={teams.refetch} />
      </Failure>
      {teams.data && teams.data.total > 0 && (
        <div>
          <Segments
            label="Partager avec"
            choices={kinds}
            value={form.values.kind}
            onChange={(kind) => form.change({ kind })}
          />
        </div>
      )}
    </>
  );
}

/** Shares with one more person or team. */
export function ShareForm(props: Props) {
  const heading = useId();
  const people = useOtherUsers();
  const teams = teamQueries.useTeamsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { form, save, creation, isSending } = useShareForm(props, people.isListed);
  const setRole = (role: string) => form.change({ role: grantRoles.find((known) => known === role) ?? 'viewer' });
  return (
    <form noValidate aria-labelledby={heading} onSubmit={save}>
      <Stack gap={12}>
        <Text component="h3" id={heading} fz={14} fw={600}>
          Partager avec quelqu’un d’autre
        </Text>
        <KindChoice form={form} teams={teams} />
        <Group align="flex-start" gap={12}>
          <Box flex="2 1 240px" miw={0}>
            {form.values.kind === 'team' ? (
              <TeamField form={form} teams={teams.data?.items ?? []} />
            ) : (
              <PersonField form={form} people={people} />
            )}
          </Box>
          <Box flex="1 1 180px" miw={0}>
            <RoleChoice value={form.values.role} onChange={setRole} />
          </Box>
        </Group>
        <Failure sentence={sentenceOf(creation.error)} />
        <Button type="submit" loading={isSending} w={{ base: '100%', sm: 'fit-content' }}>
          Partager
        </Button>
      </Stack>
    </form>
  );
}
