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
type TextFieldName = 'name' | 'content' | 'priority' | 'comment';

const plainTextProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function PriorityAndTtl({ editor: { values, errors, change, validateField }, loadedTtl, register }: Props) {
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
          onBlur={() => validateField('priority')}
          {...plainTextProps}
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

/** Shows only the fields that the type of the record has. */
export function RecordFields({ editor, loadedTtl, register }: Props) {
  const { values, errors, change, validateField } = editor;
  const { label, example, help } = contentHints[values.type];
  const textProps = (field: TextFieldName) => ({
    ref: register(field),
    name: field,
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
    onBlur: () => validateField(field),
    ...plainTextProps,
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
      <TextInput
        label="Nom"
        placeholder="@ pour le domaine lui-même"
        className={styles['name']}
        {...textProps('name')}
      />
      <TextInput
        label={label}
        placeholder={example}
        description={help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={styles['content']}
        {...textProps('content')}
      />
      <PriorityAndTtl editor={editor} loadedTtl={loadedTtl} register={register} />
      <TextInput
        label="Commentaire"
        placeholder="Facultatif"
        maxLength={500}
        className={styles['content']}
        {...textProps('comment')}
      />
      <Proxy values={values} change={change} />
    </div>
  );
}
