import type { TextInputProps } from '@mantine/core';
import { ServerType } from '@vigie/contracts/servers';
import { type ClipboardEvent, useState } from 'react';
import access from '../../kit/form/Access.module.css';
import { LineField } from '../../ui/LineField';
import { SelectField } from '../../ui/SelectField';
import { parseSshTarget } from './address';
import styles from './servers.module.css';
import type { ServerForm } from './useServerForm';

type TextField = 'name' | 'host' | 'port' | 'user' | 'provider';

const texts: Record<TextField, TextInputProps> = {
  name: { label: 'Nom', maxLength: 100, required: true, autoCapitalize: 'sentences' },
  host: { label: 'Hôte', maxLength: 253, required: true, inputMode: 'url' },
  port: { label: 'Port', maxLength: 5, placeholder: '22', inputMode: 'numeric' },
  user: { label: 'Utilisateur', maxLength: 64, placeholder: 'root' },
  provider: { label: 'Fournisseur', maxLength: 100, placeholder: 'Facultatif', autoCapitalize: 'sentences' },
};

const places: Record<TextField, string | undefined> = {
  name: styles['name'],
  host: styles['host'],
  port: styles['port'],
  user: styles['user'],
  provider: styles['provider'],
};

type Props = { field: TextField; form: ServerForm } & Pick<TextInputProps, 'description' | 'onPaste'> & {
    'data-autofocus'?: boolean;
  };

function Text({ field, form, ...rest }: Props) {
  return (
    <LineField
      {...texts[field]}
      withAsterisk={false}
      className={places[field] ?? ''}
      {...form.field(field)}
      {...rest}
    />
  );
}

/** Accepts a pasted `ssh` command, and fills host, port and user from it. */
function Host({ form }: { form: ServerForm }) {
  const [isSplit, setSplit] = useState(false);
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const target = parseSshTarget(event.clipboardData.getData('text'));
    setSplit(target !== undefined);
    if (!target) return;
    event.preventDefault();
    form.change(target);
  };
  return (
    <Text
      field="host"
      form={form}
      description={
        isSplit
          ? 'Rempli d’après ce que vous avez collé.'
          : 'Un nom, une adresse IP, ou une ligne «\u00a0ssh\u00a0» collée ici.'
      }
      onPaste={paste}
    />
  );
}

export function ServerFields({ form }: { form: ServerForm }) {
  return (
    <div className={access['fields']}>
      <Text field="name" form={form} data-autofocus />
      <SelectField label="Type" className={styles['type']} data={ServerType.options} {...form.field('type')} />
      <Host form={form} />
      <Text field="port" form={form} />
      <Text field="user" form={form} />
      <Text field="provider" form={form} />
    </div>
  );
}
