import { userColumns } from '@vigie/contracts/users';
import { ArrowDownAZ, ArrowUpAZ } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { SearchField } from '../../kit/list/SearchField';
import { SelectField } from '../../ui/SelectField';
import { roleChoices } from './RoleField';
import { columnLabels } from './rows';
import { UsersSearch } from './search';
import styles from './UsersToolbar.module.css';

type Props = {
  search: UsersSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  onChange: (change: Partial<UsersSearch>) => void;
};

function SortFields({ search, onChange }: Omit<Props, 'withSort'>) {
  const isDescending = search.order === 'desc';
  return (
    <>
      <SelectField
        aria-label="Trier par"
        className={styles['sort']}
        data={userColumns.map((value) => ({ value, label: columnLabels[value] }))}
        value={search.sort ?? 'last_name'}
        onChange={(event) =>
          onChange({ sort: UsersSearch.parse({ sort: event.currentTarget.value }).sort, page: undefined })
        }
      />
      <IconButton
        icon={isDescending ? ArrowUpAZ : ArrowDownAZ}
        label={isDescending ? 'Trier dans l’ordre croissant' : 'Trier dans l’ordre décroissant'}
        onClick={() => onChange({ order: isDescending ? undefined : 'desc', page: undefined })}
      />
    </>
  );
}

export function UsersToolbar({ search, withSort, onChange }: Props) {
  return (
    <search className={styles['toolbar']}>
      <SearchField
        label="Rechercher un compte"
        className={styles['search']}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined, page: undefined })}
      />
      <SelectField
        aria-label="Filtrer par rôle"
        className={styles['select']}
        data={[{ value: '', label: 'Tous les rôles' }, ...roleChoices]}
        value={search.role ?? ''}
        onChange={(event) =>
          onChange({ role: UsersSearch.parse({ role: event.currentTarget.value }).role, page: undefined })
        }
      />
      {withSort && <SortFields search={search} onChange={onChange} />}
    </search>
  );
}
