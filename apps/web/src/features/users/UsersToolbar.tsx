import { SearchField } from '../../kit/list/SearchField';
import { SortChoice } from '../../kit/list/SortChoice';
import { SelectField } from '../../ui/SelectField';
import { roleChoices } from './RoleField';
import { usersSorting } from './rows';
import { UsersSearch } from './search';
import styles from './UsersToolbar.module.css';

type Props = {
  search: UsersSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  onChange: (change: Partial<UsersSearch>) => void;
};

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
      {withSort && <SortChoice {...usersSorting(search, onChange)} />}
    </search>
  );
}
