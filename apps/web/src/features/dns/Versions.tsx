import { Group, Stack, Text } from '@mantine/core';
import type { DnsRecord, RecordConflict, RecordContent } from '@vigie/contracts/dns-records';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
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
    <Card component="section" aria-label={title} radius="sm" flex="1 1 200px" miw={0} p="10px 12px">
      <Text component="h3" fz={13} fw={600} mb={8}>
        {title}
      </Text>
      {record ? (
        <Stack component="dl" gap={4} fz={13}>
          {fields.map((field) => (
            <div key={field}>
              <Text component="dt" c="muted" fz={12}>
                {fieldLabels[field]}
              </Text>
              <Text component="dd" {...(changed.includes(field) && { c: 'danger', fw: 600 })}>
                {spellField(field, record, zoneName)}
                {changed.includes(field) && <VisuallyHidden> (différent)</VisuallyHidden>}
              </Text>
            </div>
          ))}
        </Stack>
      ) : (
        <Text variant="note">Supprimé</Text>
      )}
    </Card>
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
      <Group align="stretch" gap={12}>
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
      </Group>
    </>
  );
}
