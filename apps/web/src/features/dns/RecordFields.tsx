import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { canBeProxied, hasPriority, isRecordType, recordTypes } from '@vigie/contracts/dns-content';
import { useId } from 'react';
import { SelectField } from '../../ui/SelectField';
import styles from './RecordEditor.module.css';
import type { Editor } from './useRecordEditor';
import { contentHints, isProxied, ttlChoices, type Values } from './values';

type Props = { editor: Editor; loadedTtl: string };

const plainTextProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function PriorityAndTtl({ editor: { values, field }, loadedTtl }: Props) {
  return (
    <>
      {hasPriority(values.type) && (
        <TextInput
          label="Priorité"
          inputMode="numeric"
          className={styles['small']}
          {...field('priority')}
          {...plainTextProps}
        />
      )}
      <SelectField
        label="TTL"
        className={styles['small']}
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
    <div className={styles['proxy']}>
      <Checkbox
        name="proxied"
        label="Passer par le proxy de Cloudflare"
        aria-describedby={help}
        checked={values.proxied}
        onChange={(event) => change({ proxied: event.currentTarget.checked })}
      />
      <p id={help} className={styles['help']}>
        {values.proxied
          ? 'Les visiteurs passent par Cloudflare, qui cache l’adresse du serveur. Le TTL est automatique.'
          : 'DNS seulement\u00a0: les visiteurs vont droit à cette adresse.'}
      </p>
    </div>
  );
}

/** Shows only the fields that the type of the record has. */
export function RecordFields({ editor, loadedTtl }: Props) {
  const { values, field, change } = editor;
  const { label, example, help } = contentHints[values.type];
  return (
    <div className={styles['fields']}>
      <SelectField
        {...field('type')}
        label="Type"
        className={styles['small']}
        data={[...recordTypes]}
        onChange={({ currentTarget: { value } }) => isRecordType(value) && change({ type: value })}
      />
      <TextInput
        label="Nom"
        placeholder="@ pour le domaine lui-même"
        className={styles['name']}
        {...field('name')}
        {...plainTextProps}
      />
      <TextInput
        label={label}
        placeholder={example}
        description={help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={styles['content']}
        {...field('content')}
        {...plainTextProps}
      />
      <PriorityAndTtl editor={editor} loadedTtl={loadedTtl} />
      <TextInput
        label="Commentaire"
        placeholder="Facultatif"
        maxLength={500}
        className={styles['content']}
        {...field('comment')}
        {...plainTextProps}
      />
      <Proxy values={values} change={change} />
    </div>
  );
}
