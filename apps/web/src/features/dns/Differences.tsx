import { Text } from '@mantine/core';
import type { DnsDifference } from '@vigie/contracts/dns-changes';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { plural } from '../../ui/plural';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { Lines } from '../../ui/Lines';
import { Status, type Tone } from '../../ui/Status';
import styles from './dns.module.css';
import { fieldLabels, spellField, spellName } from './words';

const actions: Readonly<Record<DnsDifference['action'], { tone: Tone; word: string }>> = {
  create: { tone: 'ok', word: 'Ajouté' },
  edit: { tone: 'edited', word: 'Modifié' },
  delete: { tone: 'danger', word: 'Supprimé' },
  none: { tone: 'neutral', word: 'Inchangé' },
};

/** A record in one line, in the format of a zone file. */
const RecordLine = ({ record, zoneName }: { record: RecordContent; zoneName: string }) => (
  <code className={styles['mono']}>
    {[
      spellName(record.name, zoneName),
      record.type,
      ...(record.priority === null ? [] : [record.priority]),
      record.content,
    ].join(' ')}
  </code>
);

/** Lists the old and new value of each field. */
function Fields({ difference: { before, after, fields }, zoneName }: { difference: DnsDifference; zoneName: string }) {
  if (!before || !after) {
    const record = after ?? before;
    return (
      record && (
        <p className={styles['muted']}>
          {[`TTL ${spellField('ttl', record, zoneName)}`, spellField('proxied', record, zoneName)]
            .filter((text) => text !== '—')
            .join(' · ')}
        </p>
      )
    );
  }
  return (
    <dl className={styles['pairs']}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{fieldLabels[field]}</dt>
          <dd>
            <del>{spellField(field, before, zoneName)}</del>
            {' → '}
            <ins>{spellField(field, after, zoneName)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Difference({ difference, zoneName }: { difference: DnsDifference; zoneName: string }) {
  const { action, before, after, warnings, refusal } = difference;
  const { tone, word } = actions[action];
  const record = before ?? after;
  return (
    <li className={styles['change']}>
      <div className={styles['changeHead']}>
        {record && <RecordLine record={record} zoneName={zoneName} />}
        <Status tone={tone}>{word}</Status>
      </div>
      <Fields difference={difference} zoneName={zoneName} />
      {refusal !== null && (
        <Callout tone="danger">
          <p>{refusal}</p>
        </Callout>
      )}
      {difference.is_conflict && (
        <Callout tone="warn">
          <p>Cet enregistrement a changé ailleurs depuis que vous l’avez ouvert.</p>
        </Callout>
      )}
      {warnings.map((warning) => (
        <Callout key={warning} tone="warn">
          <p>{warning}</p>
        </Callout>
      ))}
    </li>
  );
}

type Props = { differences: readonly DnsDifference[]; leftOut: number; zoneName: string };

/** Shows how each record would change, or has changed. */
export const Differences = ({ differences, leftOut, zoneName }: Props) => (
  <>
    <Card radius="sm">
      <Lines aria-label="Différences">
        {differences.map((difference, index) => (
          <Difference key={`${index} ${difference.record_id ?? ''}`} difference={difference} zoneName={zoneName} />
        ))}
      </Lines>
    </Card>
    {leftOut > 0 && <Text variant="note">{`… et ${plural(leftOut, 'autre', 'autres')}.`}</Text>}
  </>
);
