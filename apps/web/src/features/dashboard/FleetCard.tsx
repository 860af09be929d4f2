import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Fleet } from '@vigie/contracts/dashboard';
import { LayoutGrid, List, PanelsTopLeft } from 'lucide-react';
import { useMemo } from 'react';
import { failureMessage } from '../../kit/query/failures';
import brief from '../../ui/Brief.module.css';
import { EmptyState } from '../../ui/EmptyState';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { Widget } from '../../ui/Widget';
import { useFleet } from './dashboard.api';
import styles from './dashboard.module.css';
import { countStates, sectionsOf, sitesOf } from './fleet';
import { FleetList } from './FleetList';
import { FleetPicture } from './FleetPicture';
import { FleetStates } from './FleetStates';
import { FleetSearch } from './search';

type Props = { search: FleetSearch; onChange: (change: FleetSearch) => void };

const groupings = [
  { value: '', label: 'Par serveur' },
  { value: 'group', label: 'Par groupe' },
  { value: 'status', label: 'Par état' },
];

function Tools({ search, onChange }: Props) {
  const [Icon, words] = search.list ? [LayoutGrid, 'Voir en image'] : [List, 'Voir en liste'];
  return (
    <Group gap={8}>
      <SelectField
        aria-label="Grouper la flotte"
        w={136}
        data={groupings}
        value={search.by ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ by: FleetSearch.shape.by.parse(value) })}
      />
      <Button
        variant="default"
        className={brief['brief']}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => onChange({ list: search.list ? undefined : true })}
      >
        <span className={brief['words']}>{words}</span>
      </Button>
    </Group>
  );
}

function FleetParts({ fleet, search: { by, list } }: { fleet: Fleet; search: FleetSearch }) {
  const sections = useMemo(() => sectionsOf(fleet, by), [fleet, by]);
  const counts = useMemo(() => countStates(sitesOf(fleet), {}), [fleet]);
  const more = fleet.total - fleet.sites.ids.length;
  return (
    <div className={styles['fleet']}>
      <FleetStates counts={counts} aria-label="Légende" p="4px var(--gutter)" />
      {list ? <FleetList sections={sections} /> : <FleetPicture sections={sections} servers={fleet.servers} />}
      {more > 0 && (
        <Text p="6px var(--gutter)">
          <Link to="/sites" className={links['inline'] ?? ''}>
            {`et ${plural(more, 'autre site', 'autres sites')}`}
          </Link>
        </Text>
      )}
    </div>
  );
}

/** The whole fleet at a glance. */
export function FleetCard({ search, onChange }: Props) {
  const answer = useFleet();
  const { data, error } = answer;
  return (
    <Widget
      id="fleet"
      title="Votre flotte"
      answer={answer}
      sentence={failureMessage(error, 'La flotte n’a pas pu être lue.')}
      rows={8}
      tools={<Tools search={search} onChange={onChange} />}
    >
      {data?.total === 0 && (
        <EmptyState icon={PanelsTopLeft} title="Aucun site pour l’instant.">
          <p>Chaque site aura ici sa case, de la couleur de son état.</p>
        </EmptyState>
      )}
      {data && data.total > 0 && <FleetParts fleet={data} search={search} />}
    </Widget>
  );
}
