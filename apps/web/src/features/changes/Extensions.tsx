import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { updateItems } from '@vigie/contracts/changes';
import type { Site, SiteExtension } from '@vigie/contracts/sites';
import { ArrowUpCircle, PackagePlus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { Card } from '../../ui/Card';
import { Segments } from '../../ui/Choices';
import { EmptyState } from '../../ui/EmptyState';
import { formatNumber, plural } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { SelectionBar } from '../../kit/list/SelectionBar';
import { type Selection, useSelection } from '../../kit/list/useSelection';
import toolbar from '../../ui/Toolbar.module.css';
import { RollbackDialog } from './RollbackDialog';
import { InstallDialog } from './InstallDialog';
import type { ItemHandlers } from './ItemActions';
import { ItemsTable } from './ItemsTable';
import { UnlistedItems } from './ItemMessages';
import { changeRequest } from './change-requests';
import { coreRows, type ItemRow } from './core-row';
import type { ItemsSearch } from './search';
import { rowKey, filterItems } from './filter-items';
import { UpdateItems } from './UpdateDialogs';
import { type LoadedSite, type SiteChanges, useSiteChanges } from './useSiteChanges';

const insets = { base: '12px 16px', sm: '12px 20px' };

type Change = (change: Partial<ItemsSearch>) => void;
type Props = LoadedSite & { search: ItemsSearch; onChange: Change };

function Kinds({ site: { plugins, themes }, search, onChange }: { site: Site; search: ItemsSearch; onChange: Change }) {
  const choices = [
    { value: 'all', label: 'Tous', count: formatNumber(plugins.length + themes.length) },
    { value: 'plugin', label: 'Plugins', count: formatNumber(plugins.length) },
    { value: 'theme', label: 'Thèmes', count: formatNumber(themes.length) },
  ] as const;
  return (
    <Segments
      label="Type"
      choices={choices}
      value={search.type ?? 'all'}
      onChange={(kind) => onChange({ type: kind === 'all' ? undefined : kind })}
    />
  );
}

/** Without a button where the caller may change nothing. */
function Head({ onInstall }: { onInstall: (() => void) | undefined }) {
  return (
    <Group justify="space-between" gap="8px 16px">
      <h2>Plugins et thèmes</h2>
      {onInstall && (
        <Button variant="default" leftSection={<PackagePlus size={16} aria-hidden />} onClick={onInstall}>
          Installer depuis les uploads
        </Button>
      )}
    </Group>
  );
}

function Toolbar({ site, search, onChange }: { site: Site; search: ItemsSearch; onChange: Change }) {
  const updatable = [site.wpCore, ...site.plugins, ...site.themes].filter(({ hasUpdate }) => hasUpdate).length;
  return (
    <Group gap="8px 16px" style={{ '--search': '240px' }}>
      <Kinds site={site} search={search} onChange={onChange} />
      <SearchField
        label="Rechercher un plugin ou un thème"
        className={toolbar['search']}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <Checkbox
        label={`Mises à jour seulement (${updatable})`}
        checked={search.updates === true}
        onChange={(event) => onChange({ updates: event.currentTarget.checked || undefined })}
      />
    </Group>
  );
}

function Unusable({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Text variant="note" p={insets} style={{ borderTop: '1px solid var(--border)' }}>
      {`${plural(names.length, 'fichier porte un nom inutilisable', 'fichiers portent un nom inutilisable')}, et Vigie n’y touche pas\u00a0: ${names.join(', ')}`}
    </Text>
  );
}

/** The open dialog. An installation without an item offers all uploads. */
type DialogState =
  | { kind: 'install'; item?: SiteExtension }
  | { kind: 'restore'; item: SiteExtension }
  | { kind: 'update'; items: readonly ItemRow[] };

type OpenDialogProps = LoadedSite & {
  changes: SiteChanges;
  open: DialogState;
  onClose: () => void;
};

function OpenDialog({ site, changes, open, onClose }: OpenDialogProps) {
  if (open.kind === 'install') {
    return <InstallDialog site={site} item={open.item} onInstall={changes.start} onClose={onClose} />;
  }
  if (open.kind === 'update') return <UpdateItems site={site} items={open.items} onClose={onClose} />;
  const { name, type: kind, slug, version, previous } = open.item;
  if (!previous) return null;
  const request = changeRequest('restore', { kind, slug });
  return (
    <RollbackDialog
      name={name}
      version={version}
      previous={previous}
      onRestore={() => changes.start(request)}
      onClose={onClose}
    />
  );
}

const handlersOf = (changes: SiteChanges, open: (dialog: DialogState) => void): ItemHandlers => ({
  change: (item, verb) => {
    // The plan warns of what a rollback of WordPress itself would lose.
    if (item.type === 'core') open({ kind: 'update', items: [item] });
    else void changes.start(changeRequest(verb, { kind: item.type, slug: item.slug }));
  },
  install: (item) => open({ kind: 'install', item }),
  restore: (item) => open({ kind: 'restore', item }),
});

/** The items that the search shows, and those of them that are selected. */
function useItems(site: Site, search: ItemsSearch) {
  const visibleItems = [...coreRows(site, search), ...filterItems(site, search)];
  const regular = visibleItems.filter(({ kind: pluginKind }) => pluginKind === 'regular');
  const selection = useSelection(regular.map(rowKey));
  const selected = regular.filter((item) => selection.ids.includes(rowKey(item)));
  return { visibleItems, selection, selected };
}

/** The plugins and themes of a site, as they were last read. */
export function Extensions({ site, readAt, search, onChange }: Props) {
  const changes = useSiteChanges({ site, readAt });
  const canChange = allows(site, updateItems);
  const [open, setOpen] = useState<DialogState>();
  const { visibleItems, selection, selected } = useItems(site, search);
  return (
    <>
      <Card component="section" aria-label="Plugins et thèmes">
        <Stack gap={12} p={insets}>
          <Head onInstall={canChange ? () => setOpen({ kind: 'install' }) : undefined} />
          <UnlistedItems site={site} changes={changes} />
          <Toolbar site={site} search={search} onChange={onChange} />
        </Stack>
        {visibleItems.length > 0 ? (
          <ItemsTable
            items={visibleItems}
            selection={selection}
            handlers={canChange ? handlersOf(changes, setOpen) : undefined}
            changes={changes}
          />
        ) : (
          <NoItems search={search} />
        )}
        <Unusable names={site.facts?.unusable ?? []} />
        {open && (
          <OpenDialog site={site} readAt={readAt} changes={changes} open={open} onClose={() => setOpen(undefined)} />
        )}
      </Card>
      <SelectedItems
        selection={selection}
        items={selected}
        onUpdate={() => setOpen({ kind: 'update', items: selected })}
      />
    </>
  );
}

const NoItems = ({ search }: { search: ItemsSearch }) => (
  <EmptyState
    icon={SearchX}
    title={search.updates && !search.q ? 'Aucune mise à jour en attente.' : 'Rien ne correspond.'}
  />
);

type SelectedItemsProps = { selection: Selection; items: readonly ItemRow[]; onUpdate: () => void };

function SelectedItems({ selection, items, onUpdate }: SelectedItemsProps) {
  const updates = items.filter(({ hasUpdate }) => hasUpdate).length;
  return (
    <SelectionBar selection={selection} count={plural(items.length, 'élément sélectionné', 'éléments sélectionnés')}>
      <Button
        disabled={updates === 0}
        title={updates > 0 ? undefined : 'Aucune mise à jour parmi les éléments choisis'}
        leftSection={<ArrowUpCircle size={16} aria-hidden />}
        onClick={onUpdate}
      >
        {`Mettre à jour (${updates})`}
      </Button>
    </SelectionBar>
  );
}
