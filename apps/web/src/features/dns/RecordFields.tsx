import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { canBeProxied, hasPriority, isRecordType, recordTypes } from '@vigie/contracts/dns-content';
import { useId } from 'react';
import { SelectField } from '../../ui/SelectField';
import styles from './RecordEditor.module.css';
import type { Editor } from './useRecordEditor';
import { contentHints, type Field, isProxied, ttlChoices, type Values } from './values';

type Input = HTMLInputElement | HTMLSelectElement;
type Props = { editor: Editor; loadedTtl: string; register: (field: Field) => (input: Input | null) => void };
type Plain = 'name' | 'content' | 'priority' | 'comment';

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function Numbers({ editor: { values, errors, change, leave }, loadedTtl, register }: Props) {
  return (
    <>
      {hasPriority(values.type) && (
        <TextInput
          ref={register('priority')}
          name="priority"
          label="Priorité"
          inputMode="numeric"
          className={styles['small']}
          value={values.priority}
          error={errors.priority}
          onChange={(event) => change({ priority: event.currentTarget.value })}
          onBlur={() => leave('priority')}
          {...plain}
        />
      )}
      <SelectField
        ref={register('ttl')}
        name="ttl"
        label="TTL"
        className={styles['small']}
        disabled={isProxied(values)}
        data={ttlChoices(loadedTtl, values)}
        value={values.ttl}
        error={errors.ttl}
        onChange={(event) => change({ ttl: event.currentTarget.value })}
      />
    </>
  );
}

function Proxy({ values, change }: { values: Values; change: Editor['change'] }) {
  const help = useId();
  if (!canBeProxied(values.type)) return null;
  return (
    <div className={styles['proxy']}>
      <label>
        <input
          type="checkbox"
          name="proxied"
          aria-describedby={help}
          checked={values.proxied}
          onChange={(event) => change({ proxied: event.currentTarget.checked })}
        />
        Passer par le proxy de Cloudflare
      </label>
      <p id={help} className={styles['help']}>
        {values.proxied
          ? 'Les visiteurs passent par Cloudflare, qui cache l’adresse du serveur. Le TTL est automatique.'
          : 'DNS seulement\u00a0: les visiteurs vont droit à cette adresse.'}
      </p>
    </div>
  );
}

/** What makes a record; the fields that a type does not have are not there. */
export function RecordFields({ editor, loadedTtl, register }: Props) {
  const { values, errors, change, leave } = editor;
  const { label, example, help } = contentHints[values.type];
  const text = (field: Plain) => ({
    ref: register(field),
    name: field,
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
    onBlur: () => leave(field),
    ...plain,
  });
  return (
    <div className={styles['fields']}>
      <SelectField
        ref={register('type')}
        name="type"
        label="Type"
        className={styles['small']}
        data={[...recordTypes]}
        value={values.type}
        onChange={({ currentTarget: { value } }) => isRecordType(value) && change({ type: value })}
      />
      <TextInput label="Nom" placeholder="@ pour le domaine lui-même" className={styles['name']} {...text('name')} />
      <TextInput
        label={label}
        placeholder={example}
        description={help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={styles['content']}
        {...text('content')}
      />
      <Numbers editor={editor} loadedTtl={loadedTtl} register={register} />
      <TextInput
        label="Commentaire"
        placeholder="Facultatif"
        maxLength={500}
        className={styles['content']}
        {...text('comment')}
      />
      <Proxy values={values} change={change} />
    </div>
  );
}
