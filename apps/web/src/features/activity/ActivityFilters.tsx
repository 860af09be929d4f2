import { Button, Group } from '@mantine/core';
import { type ActivityKind, activityKindNames } from '@vigie/contracts/activity';
import { X } from 'lucide-react';
import { SelectField } from '../../ui/SelectField';
import { useFocusHandOver } from '../../ui/focus';
import { activityApi } from './activity.api';
import { type ActivitySearch, isFiltered } from './search';
import { kindLabels } from './words';

type NamedOption = { id: string; name: string };
type Props = { search: ActivitySearch; isOneSite: boolean; onChange: (change: ActivitySearch) => void };
type FilterProps = {
  label: string;
  all: string;
  choices: readonly NamedOption[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A value from the address that is not among the choices is shown as "…", so that the filter is visible. */
function FilterSelect({ label, all, choices, value, onChange }: FilterProps) {
  const isListed = value === undefined || choices.some(({ id }) => id === value);
  const data = [
    { value: '', label: all },
    ...choices.map(({ id, name }) => ({ value: id, label: name })),
    ...(isListed ? [] : [{ value, label: '…' }]),
  ];
  return (
    <SelectField
      aria-label={label}
      flex="none"
      w={{ base: '100%', sm: 184 }}
      data={data}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

const kinds = activityKindNames.map((id) => ({ id, name: kindLabels[id] }));
const isKind = (value: string | undefined): value is ActivityKind => kinds.some(({ id }) => id === value);
const noOptions: readonly NamedOption[] = [];

const personLabel = 'Filtrer par personne';

/** Clears the filters and moves the focus to the first one. */
function ShowAll({ onChange }: Pick<Props, 'onChange'>) {
  const button = useFocusHandOver<HTMLButtonElement>(`[aria-label="${personLabel}"]`);
  return (
    <Button
      ref={button}
      variant="default"
      leftSection={<X size={14} aria-hidden />}
      onClick={() => onChange({ person: undefined, kind: undefined, site: undefined })}
    >
      Tout afficher
    </Button>
  );
}

export function ActivityFilters({ search, isOneSite, onChange }: Props) {
  const { data } = activityApi.useActivityChoicesQuery(undefined, { refetchOnMountOrArgChange: 60 });
  return (
    <Group component="search" gap={8} w={{ base: '100%', sm: 'auto' }}>
      <FilterSelect
        label={personLabel}
        all="Toutes les personnes"
        choices={data?.people ?? noOptions}
        value={search.person}
        onChange={(person) => onChange({ person })}
      />
      <FilterSelect
        label="Filtrer par type d’activité"
        all="Tous les types"
        choices={kinds}
        value={search.kind}
        onChange={(kind) => onChange({ kind: isKind(kind) ? kind : undefined })}
      />
      {!isOneSite && (
        <FilterSelect
          label="Filtrer par site"
          all="Tous les sites"
          choices={data?.sites ?? noOptions}
          value={search.site}
          onChange={(siteId) => onChange({ site: siteId })}
        />
      )}
      {isFiltered(search) && <ShowAll onChange={onChange} />}
    </Group>
  );
}
