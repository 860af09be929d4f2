import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { Team } from '@vigie/contracts/teams';
import { useId } from 'react';
import { teamQueries } from '../../kit/fleet/teams';
import { failureMessage } from '../../kit/query/failures';
import { Segments } from '../../ui/Choices';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { RoleChoice } from './RoleChoice';
import type { useShareForm } from './useShareForm';

type Sharing = ReturnType<typeof useShareForm>;
type FieldProps = Pick<Sharing, 'form'>;

function PersonField({ form, people }: Pick<Sharing, 'form' | 'people'>) {
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

export function ShareForm({ sharing }: { sharing: Sharing }) {
  const heading = useId();
  const teams = teamQueries.useTeamsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { form, people, save, failure, isSending } = sharing;
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
            <RoleChoice value={form.values.role} onChange={(role) => form.change({ role })} />
          </Box>
        </Group>
        <Failure sentence={failure} />
        <Button type="submit" loading={isSending} w={{ base: '100%', sm: 'fit-content' }}>
          Partager
        </Button>
      </Stack>
    </form>
  );
}
