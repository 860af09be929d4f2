import { Button, Stack, Text } from '@mantine/core';
import type { PluginItem } from '@vigie/contracts/plugins';
import { ArrowUpCircle, ChevronDown, ChevronRight } from 'lucide-react';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { IconButton } from '../../ui/IconButton';
import { plural, formatNumber } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import table from '../../kit/list/list.module.css';
import styles from './plugins.module.css';
import { type Change, openPanel, type PluginsSearch } from './search';
import { SiteLine, type UpdateComponent } from './SiteLine';
import type { SearchFailure } from './useActions';
import { canUpdate, spellVersions } from './words';

export type ListProps = {
  items: readonly PluginItem[];
  search: PluginsSearch;
  /** The plugin whose sites with an update are being searched. */
  searchingSlug: string | undefined;
  searchFailure: SearchFailure | undefined;
  Update: UpdateComponent;
  onUpdateEverywhere: (plugin: PluginItem) => void;
  onChange: Change;
};
type RowProps = Omit<ListProps, 'items'> & { plugin: PluginItem };

const isOpen = ({ plugin, search }: Pick<RowProps, 'plugin' | 'search'>) => search.expanded === plugin.plugin;

function ExpandButton({ plugin, search, onChange }: RowProps) {
  const isExpanded = isOpen({ plugin, search });
  return (
    <IconButton
      icon={isExpanded ? ChevronDown : ChevronRight}
      label={isExpanded ? `Replier ${plugin.name}` : `Déplier ${plugin.name}`}
      aria-expanded={isExpanded}
      onClick={() => onChange({ expanded: isExpanded ? undefined : plugin.plugin })}
    />
  );
}

/** Counts the updates, and those that lack a licence. */
function PendingUpdates({ plugin, isSpelt = false }: Pick<RowProps, 'plugin'> & { isSpelt?: boolean }) {
  const { updates_count: updates, blocked_count: blocked } = plugin;
  return (
    <span className={styles['badges']}>
      <span className={updates > 0 ? styles['pending'] : styles['none']}>
        {isSpelt ? plural(updates, 'mise à jour', 'mises à jour') : formatNumber(updates)}
      </span>
      {blocked > 0 && (
        <span title={`Mise à jour indisponible: licence requise, sur ${plural(blocked, 'site', 'sites')}`}>
          <Status tone="licence">{`Licence requise (${blocked})`}</Status>
        </span>
      )}
    </span>
  );
}

const Versions = ({ plugin }: Pick<RowProps, 'plugin'>) => (
  <span title={spellVersions(plugin)}>
    {plugin.latest_version ?? '—'}
    {plugin.versions_count > 1 && (
      <span className={styles['spread']}>{plural(plugin.versions_count, 'version', 'versions')}</span>
    )}
  </span>
);

const spellSites = ({ sites_count: sites, inactive_count: inactive }: PluginItem) =>
  inactive === 0 ? formatNumber(sites) : `${formatNumber(sites)}, dont ${plural(inactive, 'inactif', 'inactifs')}`;

function Actions({ plugin, searchingSlug, onUpdateEverywhere, onChange }: RowProps) {
  const { name, plugin: slug, updates_count: updates } = plugin;
  return (
    <span className={styles['actions']}>
      <Button
        variant="default"
        aria-label={`Voir sites de ${name}`}
        onClick={() => onChange(openPanel(slug), { isStep: true })}
      >
        Voir sites
      </Button>
      <IconButton
        isAtEdge
        icon={ArrowUpCircle}
        label={`Mettre à jour ${name} partout`}
        title={updates === 0 ? 'Aucune mise à jour connue' : undefined}
        data-strong
        aria-busy={searchingSlug === slug}
        disabled={!canUpdate(plugin)}
        onClick={() => onUpdateEverywhere(plugin)}
      />
    </span>
  );
}

const SearchFailureNote = ({ plugin, searchFailure }: RowProps) =>
  searchFailure?.slug === plugin.plugin && <Failure sentence={searchFailure.sentence} />;

/** The first sites of an expanded plugin. */
function Sites({ plugin, Update, onChange }: RowProps) {
  const { plugin: slug, name, sites, sites_count: count } = plugin;
  return (
    <Stack gap={8} className={styles['expanded'] ?? ''}>
      <Text variant="note">{`Versions\u00a0: ${spellVersions(plugin)}`}</Text>
      <Lines tabIndex={-1} data-sites aria-label={`Sites qui ont ${name}`}>
        {sites.map((site) => (
          <SiteLine key={site.site_id} plugin={{ slug, name }} site={site} Update={Update} />
        ))}
      </Lines>
      {sites.length < count && (
        <div>
          <Button variant="default" onClick={() => onChange(openPanel(slug), { isStep: true })}>
            {`Voir les ${plural(count, 'site', 'sites')}`}
          </Button>
        </div>
      )}
    </Stack>
  );
}

const columnsOf = (propsOf: (plugin: PluginItem) => RowProps): Column<PluginItem>[] => [
  {
    id: 'expand',
    label: 'Déplier',
    isLabelHidden: true,
    width: 'calc(var(--row) + 8px)',
    render: (plugin) => <ExpandButton {...propsOf(plugin)} />,
  },
  {
    id: 'name',
    label: 'Plugin',
    isRowHeader: true,
    render: (plugin) => (
      <>
        <span className={styles['name']}>{plugin.name}</span>
        <p className={table['more']}>{plugin.plugin}</p>
        <SearchFailureNote {...propsOf(plugin)} />
      </>
    ),
  },
  { id: 'sites', label: 'Sites', width: '16%', render: spellSites },
  { id: 'updates', label: 'Mises à jour', width: '18%', render: (plugin) => <PendingUpdates plugin={plugin} /> },
  { id: 'version', label: 'Dernière version', width: '18%', render: (plugin) => <Versions plugin={plugin} /> },
  {
    ...actionsColumn,
    width: 'calc(112px + 2 * var(--control-height))',
    render: (plugin) => <Actions {...propsOf(plugin)} />,
  },
];

export function PluginsTable({ items, ...rest }: ListProps) {
  const propsOf = (plugin: PluginItem) => ({ plugin, ...rest });
  return (
    <DataTable
      rows={items}
      rowId={({ plugin }) => plugin}
      columns={columnsOf(propsOf)}
      rowProps={({ plugin }) => ({ 'data-plugin': plugin })}
      renderDetails={(plugin) => isOpen(propsOf(plugin)) && <Sites {...propsOf(plugin)} />}
      renderCard={(plugin) => (
        <div className={styles['card']}>
          <div className={styles['head']}>
            <ExpandButton {...propsOf(plugin)} />
            <div className={styles['where']}>
              <span className={styles['name']}>{plugin.name}</span>
              <p className={styles['more']}>
                <span>{plural(plugin.sites_count, 'site', 'sites')}</span>
                <Versions plugin={plugin} />
              </p>
            </div>
            <PendingUpdates plugin={plugin} isSpelt />
          </div>
          <Actions {...propsOf(plugin)} />
          <SearchFailureNote {...propsOf(plugin)} />
        </div>
      )}
    />
  );
}
