import { Box, Checkbox, Text } from '@mantine/core';
import { foldText } from '@vigie/contracts/search-text';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../../ui/plural';
import styles from './GroupsField.module.css';
import { useAssignableGroups } from './groups';

type Props = {
  /** The owner of the item; undefined for a new item. */
  owner: string | undefined;
  value: readonly string[];
  onChange: (groups: string[]) => void;
};

/** Longer lists get a search field. */
const searchFrom = 8;

type ChoicesProps = Pick<Props, 'value' | 'onChange'> & { lines: ReturnType<typeof useAssignableGroups>['lines'] };

function Choices({ lines, value, onChange }: ChoicesProps) {
  const [query, setQuery] = useState('');
  const visibleLines = lines.filter(({ group }) => foldText(group.name).includes(foldText(query.trim())));
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...value, id] : value.filter((other) => other !== id));
  return (
    <div className={styles['box']}>
      {lines.length > searchFrom && <GroupSearch value={query} onChange={setQuery} />}
      <Box mah={168} py={4} style={{ overflowY: 'auto' }}>
        {visibleLines.map(({ group: { id, name }, depth }) => (
          <Checkbox
            key={id}
            label={name}
            className={styles['choice'] ?? ''}
            w="auto"
            pr={10}
            pl={10 + (query ? 0 : depth * 20)}
            checked={value.includes(id)}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
        ))}
        {visibleLines.length === 0 && (
          <Text p="6px 10px" c="muted">
            Aucun groupe ne correspond.
          </Text>
        )}
      </Box>
    </div>
  );
}

function GroupSearch({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  return (
    <input
      type="search"
      aria-label="Rechercher un groupe"
      placeholder="Rechercher un groupe"
      autoComplete="off"
      spellCheck={false}
      className={styles['search']}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
      }}
    />
  );
}

export function GroupsField({ owner, value, onChange }: Props) {
  const { lines, isLoading } = useAssignableGroups(owner);
  const count = lines.filter(({ group }) => value.includes(group.id)).length;
  return (
    <fieldset>
      <Text component="legend" mb={4} fw={500}>
        Groupes
        {count > 0 && (
          <Text span ml={8} c="muted" fz={13} fw={400}>
            {plural(count, 'choisi', 'choisis')}
          </Text>
        )}
      </Text>
      {lines.length > 0 && <Choices {...{ lines, value, onChange }} />}
      {lines.length === 0 && (
        <Text c="muted">
          {isLoading ? 'Chargement…' : 'Aucun groupe pour l’instant. '}
          {!isLoading && <Link to="/groups">Créer un groupe</Link>}
        </Text>
      )}
    </fieldset>
  );
}
