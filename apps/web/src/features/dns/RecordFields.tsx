import { Box, Checkbox, Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { canBeProxied, hasPriority, isRecordType, recordTypes } from '@vigie/contracts/dns-content';
import { useId } from 'react';
import { SelectField } from '../../ui/SelectField';
import type { Editor } from './useRecordEditor';
import { contentHints, isProxied, ttlChoices, type Values } from './values';

type Props = { editor: Editor; loadedTtl: string };

const small = { flex: { base: '1 1 40%', sm: '0 1 112px' } } as const;
const wide = { flex: { base: '1 1 100%', sm: '2 1 260px' }, miw: 0 } as const;

const plainTextProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function PriorityAndTtl({ editor: { values, field }, loadedTtl }: Props) {
  return (
    <>
      {hasPriority(values.type) && (
        <TextInput label="Priorité" inputMode="numeric" {...small} {...field('priority')} {...plainTextProps} />
      )}
      <SelectField
        label="TTL"
        {...small}
        disabled={isProxied(values)}
        data={ttlChoices(loadedTtl, values)}
        {...field('ttl')}
      />
    </>
  );
}

function Proxy({ values, change }: { values: Values; change: Editor['change'] }) {
  const help = useId();
  if (!canBeProxied(values.type)) return null;
  return (
    <Box flex="1 1 100%">
      <Checkbox
        name="proxied"
        label="Passer par le proxy de Cloudflare"
        aria-describedby={help}
        checked={values.proxied}
        onChange={(event) => change({ proxied: event.currentTarget.checked })}
      />
      <Text id={help} pl={26} fz={13} c="muted">
        {values.proxied
          ? 'Les visiteurs passent par Cloudflare, qui cache l’adresse du serveur. Le TTL est automatique.'
          : 'DNS seulement\u00a0: les visiteurs vont droit à cette adresse.'}
      </Text>
    </Box>
  );
}

/** Shows only the fields that the type of the record has. */
export function RecordFields({ editor, loadedTtl }: Props) {
  const { values, field, change } = editor;
  const { label, example, help } = contentHints[values.type];
  return (
    <Group align="flex-start" gap={12}>
      <TypeField editor={editor} />
      <TextInput
        label="Nom"
        placeholder="@ pour le domaine lui-même"
        flex={{ base: '1 1 100%', sm: '1 1 180px' }}
        miw={0}
        {...field('name')}
        {...plainTextProps}
      />
      <TextInput
        label={label}
        placeholder={example}
        description={help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...wide}
        {...field('content')}
        {...plainTextProps}
      />
      <PriorityAndTtl editor={editor} loadedTtl={loadedTtl} />
      <TextInput
        label="Commentaire"
        placeholder="Facultatif"
        maxLength={500}
        {...wide}
        {...field('comment')}
        {...plainTextProps}
      />
      <Proxy values={values} change={change} />
    </Group>
  );
}

function TypeField({ editor: { field, change } }: Pick<Props, 'editor'>) {
  return (
    <SelectField
      {...field('type')}
      label="Type"
      {...small}
      data={[...recordTypes]}
      onChange={({ currentTarget: { value } }) => isRecordType(value) && change({ type: value })}
    />
  );
}
