import { Text } from '@mantine/core';
import { foldText } from '@vigie/contracts/search-text';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChoiceLegend, ChoiceList } from '../../ui/ChoiceList';
import { useAssignableGroups } from './groups';

type Props = {
  /** The owner of the item; undefined for a new item. */
  owner: string | undefined;
  /** The item belongs to somebody else, who shares it with the user. */
  isForShared?: boolean;
  value: readonly string[];
  onChange: (groups: string[]) => void;
};

/** Longer lists get a search field. */
const searchFrom = 8;

type ChoicesProps = Pick<Props, 'value' | 'onChange'> & { lines: ReturnType<typeof useAssignableGroups>['lines'] };

/** Chooses groups of a tree. */
export function GroupChoices({ lines, value, onChange }: ChoicesProps) {
  const [query, setQuery] = useState('');
  const visibleLines = lines.filter(({ group }) => foldText(group.name).includes(foldText(query.trim())));
  const search = { label: 'Rechercher un groupe', value: query, onChange: setQuery };
  return (
    <ChoiceList
      choices={visibleLines.map(({ group: { id, name }, depth }) => ({ id, label: name, depth: query ? 0 : depth }))}
      value={value}
      onChange={onChange}
      search={lines.length > searchFrom ? search : undefined}
      none="Aucun groupe ne correspond."
    />
  );
}

export function GroupsField({ owner, isForShared = false, value, onChange }: Props) {
  const { lines, isLoading } = useAssignableGroups(owner, isForShared);
  const count = lines.filter(({ group }) => value.includes(group.id)).length;
  if (isForShared && lines.length === 0) return null;
  return (
    <fieldset>
      <ChoiceLegend count={count}>Groupes</ChoiceLegend>
      {lines.length > 0 && <GroupChoices {...{ lines, value, onChange }} />}
      {lines.length === 0 && (
        <Text c="muted">
          {isLoading ? 'Chargement…' : 'Aucun groupe pour l’instant. '}
          {!isLoading && <Link to="/groups">Créer un groupe</Link>}
        </Text>
      )}
    </fieldset>
  );
}
