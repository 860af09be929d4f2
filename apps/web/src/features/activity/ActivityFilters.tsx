import { Button } from '@mantine/core';
import { type ActivityKind, activityKindNames } from '@vigie/contracts/activity';
import { X } from 'lucide-react';
import { SelectField } from '../../ui/SelectField';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import styles from './ActivityFilters.module.css';
import { activityApi } from './activity.api';
import { type ActivitySearch, isFiltered } from './search';
import { kindLabels } from './words';

type Named = { id: string; name: string };
type Props = { search: ActivitySearch; onChange: (change: ActivitySearch) => void };
type ChoiceProps = {
  label: string;
  all: string;
  choices: readonly Named[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A value from the address that is not among the choices is shown as "…", so that the filter is visible. */
function Choice({ label, all, choices, value, onChange }: ChoiceProps) {
  const isKnown = value === undefined || choices.some(({ id }) => id === value);
  const data = [
    { value: '', label: all },
    ...choices.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value, label: '…' }]),
  ];
  return (
    <SelectField
      aria-label={label}
      className={styles['choice']}
      data={data}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

const kinds = activityKindNames.map((id) => ({ id, name: kindLabels[id] }));
const isKind = (value: string | undefined): value is ActivityKind => kinds.some(({ id }) => id === value);
const none: readonly Named[] = [];

const byPerson = 'Filtrer par personne';

/** Clears the filters and moves the focus to the first one. */
function ShowAll({ onChange }: Pick<Props, 'onChange'>) {
  const button = useFocusHandOver<HTMLButtonElement>(`[aria-label="${byPerson}"]`);
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

export function ActivityFilters({ search, onChange }: Props) {
  const { data } = activityApi.useActivityChoicesQuery(undefined, { refetchOnMountOrArgChange: 60 });
  return (
    <search className={styles['filters']}>
      <Choice
        label={byPerson}
        all="Toutes les personnes"
        choices={data?.people ?? none}
        value={search.person}
        onChange={(person) => onChange({ person })}
      />
      <Choice
        label="Filtrer par type d’activité"
        all="Tous les types"
        choices={kinds}
        value={search.kind}
        onChange={(kind) => onChange({ kind: isKind(kind) ? kind : undefined })}
      />
      <Choice
        label="Filtrer par site"
        all="Tous les sites"
        choices={data?.sites ?? none}
        value={search.site}
        onChange={(site) => onChange({ site })}
      />
      {isFiltered(search) && <ShowAll onChange={onChange} />}
    </search>
  );
}
