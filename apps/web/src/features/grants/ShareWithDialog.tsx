import { Box, Text } from '@mantine/core';
import { includesRole, type GrantRole } from '@vigie/contracts/grant-roles';
import type { Person } from '@vigie/contracts/users';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { useGroups } from '../../kit/fleet/groups';
import { GroupChoices } from '../../kit/fleet/GroupsField';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { useSiteSearch } from '../../kit/fleet/sites';
import { failureMessage } from '../../kit/query/failures';
import { ChoiceLegend, ChoiceList } from '../../ui/ChoiceList';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import type { Target } from './grants.api';
import { RoleChoice } from './RoleChoice';
import { type Refusal, useShareMany } from './useShareMany';
import { sharedSentence } from './words';

type ChoiceProps = { value: readonly Target[]; onChange: (targets: readonly Target[]) => void };

const idsOf = (targets: readonly Target[]) => targets.map(({ id }) => id);

/** Keeps the targets that stay chosen, and adds those that are new. */
const choose = (value: readonly Target[], ids: readonly string[], listed: readonly Target[]): readonly Target[] => [
  ...value.filter(({ id }) => ids.includes(id)),
  ...listed.filter(({ id }) => ids.includes(id) && !idsOf(value).includes(id)),
];

/** Only groups that the user may share. */
function GroupsToShare({ value, onChange }: ChoiceProps) {
  const { lines: allLines, error, isLoading } = useGroups();
  const lines = allLines.filter(({ group }) => includesRole(group.role, 'manager'));
  const listed = lines.map(({ group: { id, name } }): Target => ({ kind: 'group', id, name }));
  return (
    <fieldset>
      <ChoiceLegend count={value.length}>Groupes</ChoiceLegend>
      <Failure sentence={failureMessage(error, 'Impossible de charger les groupes.')} />
      {lines.length > 0 ? (
        <GroupChoices lines={lines} value={idsOf(value)} onChange={(ids) => onChange(choose(value, ids, listed))} />
      ) : (
        <Text c="muted">{isLoading ? 'Chargement…' : !error && 'Aucun groupe pour l’instant.'}</Text>
      )}
    </fieldset>
  );
}

const shownSites = 50;

function SitesToShare({ value, onChange }: ChoiceProps) {
  const [q, setQuery] = useState('');
  const { data, error, isFetching } = useSiteSearch(useDebouncedSearch(q), 1, shownSites);
  const sites = (data?.items ?? []).filter(({ role }) => includesRole(role, 'manager'));
  const listed = sites.map(({ id, name }): Target => ({ kind: 'site', id, name }));
  const more = data ? data.total - data.items.length : 0;
  const none = isFetching ? 'Chargement…' : q === '' ? 'Aucun site pour l’instant.' : 'Aucun site ne correspond.';
  return (
    <fieldset>
      <ChoiceLegend count={value.length}>Sites</ChoiceLegend>
      <Failure sentence={failureMessage(error, 'Impossible de charger les sites.')} />
      <ChoiceList
        choices={listed.map(({ id, name }) => ({ id, label: name }))}
        value={idsOf(value)}
        onChange={(ids) => onChange(choose(value, ids, listed))}
        search={{ label: 'Rechercher un site', value: q, onChange: setQuery }}
        none={none}
      />
      {more > 0 && (
        <Text
          variant="hint"
          mt={4}
        >{`${plural(more, 'autre site', 'autres sites')}\u00a0: précisez la recherche.`}</Text>
      )}
    </fieldset>
  );
}

function Refusals({ refusals, shared }: { refusals: readonly Refusal[]; shared: number }) {
  if (refusals.length === 0) return <Failure sentence={undefined} />;
  const first = shared === 0 ? 'Rien n’a été partagé.' : `${plural(shared, 'partage fait', 'partages faits')}.`;
  return (
    <Failure sentence={`${first} ${plural(refusals.length, 'refus', 'refus')}\u00a0:`}>
      <ul>
        {refusals.map(({ target: { id, name }, reason }) => (
          <li key={id}>{`${name}\u00a0: ${reason}`}</li>
        ))}
      </ul>
    </Failure>
  );
}

/** What is chosen, and what came of sharing it. What was refused stays chosen, for another attempt. */
function useSharing(person: Person, onClose: () => void) {
  const [groups, setGroups] = useState<readonly Target[]>([]);
  const [sites, setSites] = useState<readonly Target[]>([]);
  const [role, setRole] = useState<GrantRole>('viewer');
  const [isChecked, setChecked] = useState(false);
  const { share, refusals, shared, isSharing } = useShareMany(person);
  const targets = [...groups, ...sites];
  const send = async () => {
    setChecked(true);
    if (targets.length === 0) return;
    const refused = await share(targets, role);
    setChecked(false);
    setGroups(refused.filter(({ kind }) => kind === 'group'));
    setSites(refused.filter(({ kind }) => kind === 'site'));
    if (refused.length > 0) return;
    toast.success(sharedSentence(targets, person.name, role));
    onClose();
  };
  const failure = isChecked && targets.length === 0 ? 'Choisissez au moins un groupe ou un site.' : undefined;
  const isDirty = targets.length > 0;
  return { groups, setGroups, sites, setSites, role, setRole, send, failure, refusals, shared, isSharing, isDirty };
}

type Props = { person: Person; onClose: () => void };

/** Shares any number of groups and sites with one person, at once. */
export function ShareWithDialog({ person, onClose }: Props) {
  const { groups, setGroups, sites, setSites, role, setRole, isDirty, ...sharing } = useSharing(person, onClose);
  const { send, failure, refusals, shared, isSharing } = sharing;
  const lost = 'Ce qui est choisi ici n’est pas encore partagé.';
  const { close, guard } = useCloseGuard({ isDirty, undone: 'partager', lost, onClose });
  return (
    <FormDialog title={`Partager avec ${person.name}`} onClose={close}>
      <DialogForm
        action="Partager"
        call={{ isLoading: isSharing }}
        failure={failure}
        onSubmit={() => void send()}
        onCancel={close}
      >
        <Refusals refusals={refusals} shared={shared} />
        <GroupsToShare value={groups} onChange={setGroups} />
        <SitesToShare value={sites} onChange={setSites} />
        <Box maw={280}>
          <RoleChoice value={role} onChange={setRole} />
        </Box>
      </DialogForm>
      {guard}
    </FormDialog>
  );
}
