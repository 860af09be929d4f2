import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Status } from '../../ui/Status';
import { actionsColumn, type Column, type RowSelection } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import table from '../../kit/list/list.module.css';
import { AllRowsCheckbox } from '../../kit/list/RowCheckbox';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../kit/list/useSelection';
import styles from './changes.module.css';
import { type ItemHandlers, ItemActions } from './ItemActions';
import { ItemMessages } from './ItemMessages';
import { itemKey } from './change-requests';
import type { ItemRow } from './core-row';
import { rowKey } from './filter-items';
import type { SiteChanges } from './useSiteChanges';
import { activityLabel, kindNames, licenceMissing, pluginKindNames } from './words';

type Props = {
  items: readonly ItemRow[];
  selection: Selection;
  /** Undefined where the caller may only see the items. */
  handlers: ItemHandlers | undefined;
  changes: SiteChanges;
};

function Version({ item: { version, hasUpdate, new_version: next, blockedByLicense } }: { item: ItemRow }) {
  if (!hasUpdate) return version ?? '—';
  return (
    <>
      <span className={styles['newer']}>
        {`${version ?? '?'} → `}
        <strong>{next ?? 'plus récente'}</strong>
      </span>
      {blockedByLicense && (
        <div title={licenceMissing}>
          <Status tone="licence">Licence requise</Status>
        </div>
      )}
    </>
  );
}

function Name({ item }: { item: ItemRow }) {
  const notes = [pluginKindNames[item.kind], item.parent !== null && `enfant de ${item.parent}`]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <span className={styles['name']}>{item.name}</span>
      <p className={table['more']}>{[item.slug, notes].filter(Boolean).join(' · ')}</p>
    </>
  );
}

function Activity({ item }: { item: ItemRow }) {
  const { tone, word } = activityLabel(item);
  return <Status tone={tone}>{word}</Status>;
}

const all = 'Tout sélectionner';

/** The messages of an item stay under its row until they are dismissed. */
function stateOf(item: ItemRow, changes: SiteChanges) {
  const key = itemKey({ kind: item.type, slug: item.slug });
  const status = changes.statusOf(key);
  const isRegular = item.kind === 'regular';
  const { isBusy, failed, refusal } = status;
  const hasMessages = isRegular && (isBusy || failed !== undefined || refusal !== undefined);
  const messages = hasMessages && (
    <ItemMessages name={item.name} status={status} onDismiss={(jobId) => changes.dismiss(key, jobId)} />
  );
  return { isBusy: isRegular && isBusy, messages };
}

const columns: readonly Column<ItemRow>[] = [
  { id: 'name', label: 'Nom', isRowHeader: true, render: (item) => <Name item={item} /> },
  { id: 'type', label: 'Type', width: 88, render: (item) => kindNames[item.type] },
  { id: 'status', label: 'Statut', width: 168, render: (item) => <Activity item={item} /> },
  { id: 'version', label: 'Version', width: '22%', render: (item) => <Version item={item} /> },
];

const Card = ({ item, checkbox, children }: { item: ItemRow; checkbox: ReactNode; children: ReactNode }) => (
  <div className={styles['card']}>
    <div className={styles['cardHead']}>
      {checkbox}
      <div className={styles['about']}>
        <Name item={item} />
      </div>
      <div className={styles['side']}>
        <Activity item={item} />
        <div>
          <Version item={item} />
        </div>
      </div>
    </div>
    {children}
  </div>
);

const actionsWidth = 'calc(5 * var(--control-height) + 16px)';

const rowSelection = (selection: Selection): RowSelection<ItemRow> => ({
  selection,
  allLabel: all,
  rowLabel: ({ kind, name }) => (kind === 'regular' ? `Sélectionner ${name}` : undefined),
});

export function ItemsTable({ items, selection, handlers, changes }: Props) {
  const isNarrow = useNarrow();
  const renderActions = (item: ItemRow) =>
    handlers && <ItemActions item={item} isBusy={stateOf(item, changes).isBusy} handlers={handlers} />;
  const renderDetails = (item: ItemRow) => {
    const { messages } = stateOf(item, changes);
    return messages && <div className={styles['messages']}>{messages}</div>;
  };
  return (
    <>
      {isNarrow && handlers && <SelectAll selection={selection} />}
      <DataTable
        className={styles['table']}
        rows={items}
        rowId={rowKey}
        columns={handlers ? [...columns, { ...actionsColumn, width: actionsWidth, render: renderActions }] : columns}
        {...(handlers && { selection: rowSelection(selection) })}
        rowProps={(item) => ({
          'aria-busy': stateOf(item, changes).isBusy || undefined,
        })}
        renderDetails={renderDetails}
        renderCard={(item, checkbox) => (
          <Card item={item} checkbox={checkbox}>
            {renderActions(item)}
          </Card>
        )}
      />
    </>
  );
}

const SelectAll = ({ selection }: Pick<Props, 'selection'>) => (
  <Group gap={0} px={4} c="muted" fz={13} style={{ borderBlock: '1px solid var(--border)' }}>
    <AllRowsCheckbox label={all} selection={selection} />
    <span aria-hidden>{all}</span>
  </Group>
);
