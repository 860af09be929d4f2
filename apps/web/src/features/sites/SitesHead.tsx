import { Button, Group, Text } from '@mantine/core';
import { SiteStatus } from '@vigie/contracts/sites';
import { Plus, RefreshCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useGuest } from '../../kit/fleet/guests';
import { useIsClient } from '../../kit/fleet/users';
import { GroupFilter } from '../../kit/fleet/GroupFilter';
import { useServer } from '../../kit/fleet/servers';
import { FoldedFilters } from '../../kit/list/FoldedFilters';
import { SearchField } from '../../kit/list/SearchField';
import brief from '../../ui/Brief.module.css';
import { plural } from '../../ui/plural';
import { IconButton } from '../../ui/IconButton';
import type { AsyncAction } from '../../ui/RefreshButton';
import { SelectField } from '../../ui/SelectField';
import { useNarrow } from '../../ui/useNarrow';
import { useRovingFocus } from '../../ui/useRovingFocus';
import { TokenHelp } from './SearchTokens';
import { AddMenu, type Change, DisplayMenu, MoreMenu, type SitesMenuActions } from './SitesMenus';
import type { SitesSearch } from './search';
import styles from './sites.module.css';
import { statuses } from './words';

export type HeadProps = {
  search: SitesSearch;
  /** Undefined until it is known. */
  total: number | undefined;
  /** The person has no site at all: there is nothing to filter. */
  hasNoSites: boolean;
  list: AsyncAction;
  /** Undefined where the caller may test none of the sites. */
  tests: (AsyncAction & { label: string }) | undefined;
  menu: SitesMenuActions;
  /** The saved views of the list. */
  views: ReactNode;
  onChange: Change;
  onAdd: () => void;
};

function StatusFilter({ search, onChange }: Pick<HeadProps, 'search' | 'onChange'>) {
  return (
    <SelectField
      aria-label="Filtrer par statut"
      className={styles['choice']}
      data={[
        { value: '', label: 'Tous les statuts' },
        ...SiteStatus.options.map((value) => ({ value, label: statuses[value].word })),
      ]}
      value={search.status ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ status: SiteStatus.safeParse(value).data, page: undefined })
      }
    />
  );
}

/** Shows that a link filtered the list by server, and clears that filter. */
function ServerFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useServer(id);
  return (
    <Button variant="default" rightSection={<X size={14} aria-hidden />} onClick={onClear}>
      {`Serveur\u00a0: ${data?.name ?? '…'}`}
    </Button>
  );
}

const Search = ({ search: { q = '' }, onChange }: Pick<HeadProps, 'search' | 'onChange'>) => (
  <SearchField
    label="Rechercher un site"
    className={styles['search']}
    value={q}
    onChange={(next) => onChange({ q: next || undefined, page: undefined })}
  />
);

const Filters = ({ search, onChange }: Pick<HeadProps, 'search' | 'onChange'>) => (
  <>
    <TokenHelp q={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined, page: undefined })} />
    <GroupFilter
      className={styles['choice'] ?? ''}
      value={search.group}
      onChange={(groupId) => onChange({ group: groupId, page: undefined })}
    />
    <StatusFilter search={search} onChange={onChange} />
    {search.server !== undefined && (
      <ServerFilter id={search.server} onClear={() => onChange({ server: undefined, page: undefined })} />
    )}
  </>
);

const Tools = ({ search, list, tests, menu, views, onChange }: HeadProps) => (
  <>
    {views}
    <DisplayMenu search={search} onChange={onChange} />
    <MoreMenu tests={tests} onExport={menu.onExport} />
    <IconButton isAtEdge icon={RefreshCw} label="Actualiser" disabled={list.isBusy} onClick={list.run} />
  </>
);

/** A client who owns nothing rarely adds a site. */
function Adds({ onAdd, menu }: Pick<HeadProps, 'onAdd' | 'menu'>) {
  const isClient = useIsClient();
  const isGuest = useGuest(isClient).isGuest ?? isClient;
  return (
    <Group gap={0} wrap="nowrap">
      <Button
        variant={isGuest ? 'default' : 'filled'}
        className={brief['brief']}
        leftSection={<Plus size={16} aria-hidden />}
        onClick={onAdd}
      >
        <span className={brief['words']}>Nouveau site</span>
      </Button>
      <AddMenu {...menu} />
    </Group>
  );
}

/** The count keeps its room while it is not known. */
const Title = ({ total }: Pick<HeadProps, 'total'>) => (
  <Group gap={8} align="baseline" wrap="nowrap">
    <h1>Sites</h1>
    <Text component="output" c="muted" fz={13} miw={52} style={{ whiteSpace: 'nowrap' }}>
      {total !== undefined && plural(total, 'site', 'sites')}
    </Text>
  </Group>
);

/** One line: the title, the filters, and one Tab stop for the menus and buttons. */
function WideHead(props: HeadProps) {
  const { search, total, hasNoSites, menu, onChange, onAdd } = props;
  const roving = useRovingFocus<HTMLDivElement>();
  return (
    <header className={styles['head']}>
      <Title total={total} />
      {!hasNoSites && (
        <search className={styles['filters']}>
          <Search search={search} onChange={onChange} />
          <Filters search={search} onChange={onChange} />
        </search>
      )}
      <Group role="toolbar" aria-label="Liste des sites" gap={8} ml="auto" {...roving}>
        {!hasNoSites && <Tools {...props} />}
        <Adds onAdd={onAdd} menu={menu} />
      </Group>
    </header>
  );
}

/** Two lines: the title, and the search with a button that unfolds all the rest. */
function NarrowHead(props: HeadProps) {
  const { search, total, hasNoSites, menu, onChange, onAdd } = props;
  const count = [search.group, search.status, search.server].filter((value) => value !== undefined).length;
  return (
    <>
      <Group component="header" justify="space-between" wrap="nowrap">
        <Title total={total} />
        <Adds onAdd={onAdd} menu={menu} />
      </Group>
      {!hasNoSites && (
        <search className={styles['head']}>
          <FoldedFilters count={count} search={<Search search={search} onChange={onChange} />}>
            <Filters search={search} onChange={onChange} />
            <Tools {...props} />
          </FoldedFilters>
        </search>
      )}
    </>
  );
}

export function SitesHead(props: HeadProps) {
  const isNarrow = useNarrow();
  const Head = isNarrow ? NarrowHead : WideHead;
  return <Head {...props} />;
}
