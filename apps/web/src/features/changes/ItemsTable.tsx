import type { SiteExtension } from '@vigie/contracts/sites';
import { type KeyboardEvent, Fragment } from 'react';
import { Status } from '../../ui/Status';
import { actionsColumn, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { RowCheckbox, AllRowsCheckbox } from '../../kit/list/RowCheckbox';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../kit/list/useSelection';
import styles from './Extensions.module.css';
import { type ItemHandlers, ItemActions } from './ItemActions';
import { ItemMessages } from './ItemMessages';
import { itemKey } from './change-requests';
import { rowKey } from './filter-items';
import type { SiteChanges } from './useSiteChanges';
import { activityLabel, kindNames, licenceMissing, pluginKindNames } from './words';

type Props = { items: readonly SiteExtension[]; selection: Selection; handlers: ItemHandlers; changes: SiteChanges };
type LineProps = Omit<Props, 'items'> & { item: SiteExtension };

function Version({ item: { version, hasUpdate, new_version: next, blockedByLicense } }: { item: SiteExtension }) {
  if (!hasUpdate) return version ?? '—';
  return (
    <>
      <span className={styles['update']}>
        {`${version ?? '?'} → `}
        <strong>{next ?? 'plus récente'}</strong>
      </span>
      {blockedByLicense && (
        <span title={licenceMissing} className={styles['licence']}>
          <Status tone="licence">Licence requise</Status>
        </span>
      )}
    </>
  );
}

function Name({ item }: { item: SiteExtension }) {
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

function Activity({ item }: { item: SiteExtension }) {
  const { tone, word } = activityLabel(item);
  return <Status tone={tone}>{word}</Status>;
}

const Choice = ({ item, selection }: Pick<LineProps, 'item' | 'selection'>) =>
  item.kind === 'regular' && (
    <RowCheckbox
      label={`Sélectionner ${item.name}`}
      isOn={selection.ids.includes(rowKey(item))}
      onChange={(isOn, isRange) => selection.choose(rowKey(item), isOn, isRange)}
    />
  );

function useLine({ item, changes }: Pick<LineProps, 'item' | 'changes'>) {
  const key = itemKey({ kind: item.type, slug: item.slug });
  const isRegular = item.kind === 'regular';
  const status = changes.statusOf(key);
  const { isBusy, failed, refusal } = status;
  const hasMessages = isRegular && (isBusy || failed !== undefined || refusal !== undefined);
  const messages = hasMessages && (
    <ItemMessages name={item.name} status={status} onDismiss={(jobId) => changes.dismiss(key, jobId)} />
  );
  return { isBusy: isRegular && isBusy, messages };
}

function Row({ item, selection, handlers, changes }: LineProps) {
  const { isBusy, messages } = useLine({ item, changes });
  return (
    <Fragment>
      <tr data-item={rowKey(item)} aria-busy={isBusy || undefined}>
        <td>
          <Choice item={item} selection={selection} />
        </td>
        <th scope="row" className={table['name']}>
          <Name item={item} />
        </th>
        <td>{kindNames[item.type]}</td>
        <td>
          <Activity item={item} />
        </td>
        <td>
          <Version item={item} />
        </td>
        <td>
          <ItemActions item={item} isBusy={isBusy} handlers={handlers} />
        </td>
      </tr>
      {messages && (
        <tr className={styles['messagesRow']}>
          <td colSpan={6}>{messages}</td>
        </tr>
      )}
    </Fragment>
  );
}

function Card({ item, selection, handlers, changes }: LineProps) {
  const { isBusy, messages } = useLine({ item, changes });
  return (
    <li className={styles['card']} data-item={rowKey(item)} aria-busy={isBusy || undefined}>
      <div className={styles['cardHead']}>
        <Choice item={item} selection={selection} />
        <div className={styles['about']}>
          <Name item={item} />
        </div>
        <div className={styles['side']}>
          <Activity item={item} />
          <span>
            <Version item={item} />
          </span>
        </div>
      </div>
      <ItemActions item={item} isBusy={isBusy} handlers={handlers} />
      {messages}
    </li>
  );
}

const checkboxSelector = '[data-item] input[type=checkbox]';

/** The arrow keys move between checkboxes; `x` toggles the checkbox of the row with the focus. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return;
  if (key === 'x') {
    target.closest('[data-item]')?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  const all = [...currentTarget.querySelectorAll<HTMLElement>(checkboxSelector)];
  const index = all.findIndex((box) => box === target);
  if (step === undefined || index < 0) return;
  event.preventDefault();
  all[index + step]?.focus();
}

const all = 'Tout sélectionner';

export function ItemsTable({ items, ...rest }: Props) {
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <>
        <div className={styles['all']}>
          <AllRowsCheckbox label={all} selection={rest.selection} />
          <span aria-hidden>{all}</span>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul onKeyDown={moveFocus}>
          {items.map((item) => (
            <Card key={rowKey(item)} item={item} {...rest} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <Table
      className={styles['table']}
      columns={[
        { column: 'select', label: <AllRowsCheckbox label={all} selection={rest.selection} /> },
        { column: 'name', label: 'Nom' },
        { column: 'type', label: 'Type' },
        { column: 'status', label: 'Statut' },
        { column: 'version', label: 'Version' },
        actionsColumn,
      ]}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody onKeyDown={moveFocus}>
        {items.map((item) => (
          <Row key={rowKey(item)} item={item} {...rest} />
        ))}
      </tbody>
    </Table>
  );
}
