import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { SiteItem } from '@vigie/contracts/sites';
import { useGroupNames } from '../../app/groups';
import { Hidden } from '../../ui/Hidden';
import { SortHead } from '../../ui/SortHead';
import table from '../../ui/Table.module.css';
import { Tick } from '../../ui/Tick';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import type { Selection } from '../../ui/useSelection';
import { When } from '../../ui/When';
import { type Deeds, SiteActions } from './SiteActions';
import { HttpBadge, SiteState } from './SiteState';
import styles from './SitesTable.module.css';
import { columns, type SitesSearch, sortBy, sortOf } from './search';
import { columnLabels, countUpdates, spellUpdates } from './words';

export type ListProps = {
  sites: readonly SiteItem[];
  search: SitesSearch;
  deeds: Deeds;
  selection: Selection;
  onChange: (change: Partial<SitesSearch>) => void;
};

/** What a site is shown with. */
export type ShownProps = Pick<ListProps, 'deeds' | 'selection'> & { site: SiteItem };

export const SiteLink = ({ site }: { site: SiteItem }) => (
  <Link to="/sites/$siteId" params={{ siteId: site.id }} search={{}} className={table['link'] ?? ''}>
    {site.name}
  </Link>
);

/** Without the scheme that everybody has. */
export const SiteUrl = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noopener noreferrer" title={url} className={styles['url']}>
    {url.replace(/^https:\/\//, '')}
  </a>
);

export const SiteTick = ({ site, selection }: Pick<ShownProps, 'site' | 'selection'>) => (
  <Tick
    label={`Sélectionner ${site.name}`}
    isOn={selection.ids.includes(site.id)}
    onChange={(isOn, isRange) => selection.choose(site.id, isOn, isRange)}
  />
);

function Updates({ site }: { site: SiteItem }) {
  const count = countUpdates(site);
  if (count === null) return '—';
  const what = spellUpdates(site);
  return (
    <span title={what} className={count > 0 ? styles['waiting'] : styles['none']}>
      {count}
      {what !== undefined && <Hidden>{` (${what})`}</Hidden>}
    </span>
  );
}

/** The names of the groups of a site, and the way to each for whoever asks. */
function Groups({ ids }: { ids: readonly string[] }) {
  const groups = useGroupNames()(ids);
  if (groups.length === 0) return '—';
  return <span title={groups.map(({ path }) => path).join('\n')}>{groups.map(({ name }) => name).join(', ')}</span>;
}

function Row({ site, isWide, deeds, selection }: ShownProps & { isWide: boolean }) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  const { ssh } = site.connection;
  const where = ssh.server_name ?? ssh.effective?.host;
  return (
    <tr ref={line} data-down={site.status === 'error' || undefined}>
      <td>
        <SiteTick site={site} selection={selection} />
      </td>
      <th scope="row" className={table['name']}>
        <SiteLink site={site} />
        {isWide ? <p className={table['more']}>{where}</p> : <SiteUrl url={site.url} />}
      </th>
      {isWide && (
        <>
          <td>
            <SiteUrl url={site.url} />
          </td>
          <td className={styles['muted']}>
            <Groups ids={site.groups} />
          </td>
        </>
      )}
      <td>
        <SiteState site={site} />
      </td>
      <td>
        <HttpBadge http={site.http} />
      </td>
      <td>
        <Updates site={site} />
      </td>
      <td>{site.wpCore.version ?? '—'}</td>
      <td>{site.php_version ?? '—'}</td>
      <td className={styles['muted']}>{site.last_backup_at === null ? '—' : <When at={site.last_backup_at} />}</td>
      <td>
        <SiteActions site={site} deeds={deeds} />
      </td>
    </tr>
  );
}

function Heads({ search, isWide, onChange }: Pick<ListProps, 'search' | 'onChange'> & { isWide: boolean }) {
  const head = (column: (typeof columns)[number]) => (
    <SortHead
      key={column}
      column={column}
      label={columnLabels[column]}
      sorted={sortOf(search)}
      onSort={(isDescending) => onChange({ sort: sortBy(column, isDescending), page: undefined })}
    />
  );
  return (
    <>
      {head('name')}
      {isWide && (
        <>
          {head('url')}
          <th scope="col" data-column="groups">
            Groupes
          </th>
        </>
      )}
      {head('status')}
      <th scope="col" data-column="http">
        HTTP
      </th>
      {head('updates')}
      {head('wp_version')}
      {head('php_version')}
      <th scope="col" data-column="backup">
        Sauvegarde
      </th>
    </>
  );
}

export function SitesTable({ sites, search, onChange, ...rest }: ListProps) {
  const isWide = useMediaQuery('(width >= 1360px)', undefined, { getInitialValueInEffect: false });
  const { ids, isAll, chooseAll } = rest.selection;
  return (
    <table className={`${table['table']} ${styles['table']}`}>
      <thead>
        <tr>
          <th scope="col" data-column="select">
            <Tick
              label="Sélectionner tous les sites affichés"
              isOn={isAll}
              isMixed={!isAll && ids.length > 0}
              onChange={chooseAll}
            />
          </th>
          <Heads search={search} isWide={isWide} onChange={onChange} />
          <th scope="col" data-column="actions">
            <Hidden>Actions</Hidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {sites.map((site) => (
          <Row key={site.id} site={site} isWide={isWide} {...rest} />
        ))}
      </tbody>
    </table>
  );
}
