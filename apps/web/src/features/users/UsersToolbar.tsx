import { Group } from '@mantine/core';
import { SearchField } from '../../kit/list/SearchField';
import { SortChoice } from '../../kit/list/SortChoice';
import { SelectField } from '../../ui/SelectField';
import { roleChoices } from './RoleField';
import { usersSorting } from './rows';
import { UsersSearch } from './search';
import toolbar from '../../ui/Toolbar.module.css';

type Props = {
  search: UsersSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  onChange: (change: Partial<UsersSearch>) => void;
};

export function UsersToolbar({ search, withSort, onChange }: Props) {
  return (
    <Group component="search" gap={8}>
      <SearchField
        label="Rechercher un compte"
        className={toolbar['search']}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined, page: undefined })}
      />
      <SelectField
        aria-label="Filtrer par rôle"
        data={[{ value: '', label: 'Tous les rôles' }, ...roleChoices]}
        value={search.role ?? ''}
        onChange={(event) =>
          onChange({ role: UsersSearch.parse({ role: event.currentTarget.value }).role, page: undefined })
        }
      />
      {withSort && <SortChoice {...usersSorting(search, onChange)} />}
    </Group>
  );
}
