import type { DnsRecord, RecordConflict, RecordContent } from '@vigie/contracts/dns-records';
import { Callout } from '../../ui/Callout';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './Differences.module.css';
import { fieldsAmong, fieldsBetween, versionsOf } from './differences';
import { fieldLabels, type RecordField, spellField } from './words';

type Props = { conflict: RecordConflict; loaded: DnsRecord | undefined; zoneName: string };

type VersionProps = {
  title: string;
  record: RecordContent | null;
  current: RecordContent | null;
  fields: readonly RecordField[];
  zoneName: string;
};

function Version({ title, record, current, fields, zoneName }: VersionProps) {
  const changed = record && current ? fieldsBetween(current, record) : [];
  return (
    <section aria-label={title} className={styles['version']}>
      <h3>{title}</h3>
      {record ? (
        <dl>
          {fields.map((field) => (
            <div key={field} data-changed={changed.includes(field) || undefined}>
              <dt>{fieldLabels[field]}</dt>
              <dd>
                {spellField(field, record, zoneName)}
                {changed.includes(field) && <VisuallyHidden> (différent)</VisuallyHidden>}
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

/** Compares the versions of a record that somebody else changed meanwhile. */
export function Versions({ conflict, loaded, zoneName }: Props) {
  const versions = versionsOf(conflict, loaded);
  const fields = fieldsAmong(versions.map(({ record }) => record));
  return (
    <>
      <div role="alert">
        <Callout tone="warn">
          <p>{conflict.message}</p>
        </Callout>
      </div>
      <div className={styles['versions']}>
        {versions.map(({ title, record }) => (
          <Version
            key={title}
            title={title}
            record={record}
            current={conflict.current}
            fields={fields}
            zoneName={zoneName}
          />
        ))}
      </div>
    </>
  );
}
