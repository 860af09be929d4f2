import type { SiteExtension } from '@vigie/contracts/sites';
import { type KeyboardEvent, Fragment } from 'react';
import { Status } from '../../ui/Status';
import { actionsColumn, Table } from '../../ui/Table';
import table from '../../ui/Table.module.css';
import { Tick, TickAll } from '../../ui/Tick';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../ui/useSelection';
import styles from './Extensions.module.css';
import { type Deeds, ItemActions } from './ItemActions';
import { ItemNews } from './ItemNews';
import { keyOf } from './orders';
import { rowKeyOf } from './shown';
import type { SiteChanges } from './useSiteChanges';
import { activityOf, kindNames, licenceMissing, standings } from './words';

type Props = { shown: readonly SiteExtension[]; selection: Selection; deeds: Deeds; changes: SiteChanges };
type LineProps = Omit<Props, 'shown'> & { one: SiteExtension };

function Version({ one: { version, hasUpdate, new_version: next, blockedByLicense } }: { one: SiteExtension }) {
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

function Name({ one }: { one: SiteExtension }) {
  const notes = [standings[one.kind], one.parent !== null && `enfant de ${one.parent}`].filter(Boolean).join(' · ');
  return (
    <>
      <span className={styles['name']}>{one.name}</span>
      <p className={table['more']}>{[one.slug, notes].filter(Boolean).join(' · ')}</p>
    </>
  );
}

function Activity({ one }: { one: SiteExtension }) {
  const { tone, word } = activityOf(one);
  return <Status tone={tone}>{word}</Status>;
}

const Choice = ({ one, selection }: Pick<LineProps, 'one' | 'selection'>) =>
  one.kind === 'regular' && (
    <Tick
      label={`Sélectionner ${one.name}`}
      isOn={selection.ids.includes(rowKeyOf(one))}
      onChange={(isOn, isRange) => selection.choose(rowKeyOf(one), isOn, isRange)}
    />
  );

function useLine({ one, changes }: Pick<LineProps, 'one' | 'changes'>) {
  const key = keyOf({ kind: one.type, slug: one.slug });
  const isOurs = one.kind === 'regular';
  const standing = changes.of(key);
  const { isBusy, failed, refusal } = standing;
  const hasNews = isOurs && (isBusy || failed !== undefined || refusal !== undefined);
  const news = hasNews && (
    <ItemNews name={one.name} standing={standing} onDismiss={(job) => changes.dismiss(key, job)} />
  );
  return { isBusy: isOurs && isBusy, news };
}

function Row({ one, selection, deeds, changes }: LineProps) {
  const { isBusy, news } = useLine({ one, changes });
  return (
    <Fragment>
      <tr data-item={rowKeyOf(one)} aria-busy={isBusy || undefined}>
        <td>
          <Choice one={one} selection={selection} />
        </td>
        <th scope="row" className={table['name']}>
          <Name one={one} />
        </th>
        <td>{kindNames[one.type]}</td>
        <td>
          <Activity one={one} />
        </td>
        <td>
          <Version one={one} />
        </td>
        <td>
          <ItemActions one={one} isBusy={isBusy} deeds={deeds} />
        </td>
      </tr>
      {news && (
        <tr className={styles['newsRow']}>
          <td colSpan={6}>{news}</td>
        </tr>
      )}
    </Fragment>
  );
}

function Card({ one, selection, deeds, changes }: LineProps) {
  const { isBusy, news } = useLine({ one, changes });
  return (
    <li className={styles['card']} data-item={rowKeyOf(one)} aria-busy={isBusy || undefined}>
      <div className={styles['cardHead']}>
        <Choice one={one} selection={selection} />
        <div className={styles['about']}>
          <Name one={one} />
        </div>
        <div className={styles['side']}>
          <Activity one={one} />
          <span>
            <Version one={one} />
          </span>
        </div>
      </div>
      <ItemActions one={one} isBusy={isBusy} deeds={deeds} />
      {news}
    </li>
  );
}

const boxes = '[data-item] input[type=checkbox]';

/** The arrow keys move between checkboxes; `x` toggles the checkbox of the row with the focus. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return;
  if (key === 'x') {
    target.closest('[data-item]')?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  const all = [...currentTarget.querySelectorAll<HTMLElement>(boxes)];
  const at = all.findIndex((box) => box === target);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  all[at + step]?.focus();
}

const all = 'Tout sélectionner';

export function ItemsTable({ shown, ...rest }: Props) {
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <>
        <div className={styles['all']}>
          <TickAll label={all} selection={rest.selection} />
          <span aria-hidden>{all}</span>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul onKeyDown={walk}>
          {shown.map((one) => (
            <Card key={rowKeyOf(one)} one={one} {...rest} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <Table
      className={styles['table']}
      columns={[
        { column: 'select', label: <TickAll label={all} selection={rest.selection} /> },
        { column: 'name', label: 'Nom' },
        { column: 'type', label: 'Type' },
        { column: 'status', label: 'Statut' },
        { column: 'version', label: 'Version' },
        actionsColumn,
      ]}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody onKeyDown={walk}>
        {shown.map((one) => (
          <Row key={rowKeyOf(one)} one={one} {...rest} />
        ))}
      </tbody>
    </Table>
  );
}
