import { recordFields } from '@vigie/contracts/dns-changes';
import type { DnsRecord, RecordConflict, RecordContent } from '@vigie/contracts/dns-records';
import { Callout } from '../../ui/Callout';
import { Hidden } from '../../ui/Hidden';
import styles from './Differences.module.css';
import { fieldsBetween, versionsOf } from './differences';
import { fieldLabels, spellField } from './words';

type Props = { conflict: RecordConflict; seen: DnsRecord | undefined; zone: string };

function Version({
  title,
  record,
  current,
  zone,
}: {
  title: string;
  record: RecordContent | null;
  current: RecordContent | null;
  zone: string;
}) {
  const changed = record && current ? fieldsBetween(current, record) : [];
  return (
    <section aria-label={title} className={styles['version']}>
      <h3>{title}</h3>
      {record ? (
        <dl>
          {recordFields
            .filter((field) => record[field] !== null)
            .map((field) => (
              <div key={field} data-changed={changed.includes(field) || undefined}>
                <dt>{fieldLabels[field]}</dt>
                <dd>
                  {spellField(field, record, zone)}
                  {changed.includes(field) && <Hidden> (différent)</Hidden>}
                </dd>
              </div>
            ))}
        </dl>
      ) : (
        <p className={styles['aside']}>Supprimé</p>
      )}
    </section>
  );
}

/** Somebody else was there in between: what each side says, before anybody chooses. */
export function Versions({ conflict, seen, zone }: Props) {
  return (
    <>
      <div role="alert">
        <Callout tone="warn">
          <p>{conflict.message}</p>
        </Callout>
      </div>
      <div className={styles['versions']}>
        {versionsOf(conflict, seen).map(({ title, record }) => (
          <Version key={title} title={title} record={record} current={conflict.current} zone={zone} />
        ))}
      </div>
    </>
  );
}
