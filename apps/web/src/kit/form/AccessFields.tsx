import { Button, Group, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { PasswordField } from './PasswordField';
import type { FieldProps } from './useDraftForm';

type Props = {
  form: {
    field: (name: 'password') => FieldProps;
  };
  /** A password is stored; it is never shown. */
  isStored: boolean;
  /** The address changed, so the stored password no longer applies. */
  hasNewAddress: boolean;
};

const newAddressHint =
  'L’adresse a changé\u00a0: le mot de passe enregistré ne vaut que pour l’ancienne. Saisissez-le de nouveau.';

/** The password of a server or a site; an empty field keeps the stored one. */
export function AccessPassword({ form, isStored, hasNewAddress }: Props) {
  const field = form.field('password');
  const isKept = isStored && !hasNewAddress;
  const keepHint = isKept ? 'Laissez vide pour garder le mot de passe enregistré.' : undefined;
  return (
    <PasswordField
      {...field}
      label="Mot de passe"
      autoComplete="new-password"
      placeholder={isKept ? '••••••••' : undefined}
      hint={hasNewAddress && !field.error ? newAddressHint : keepHint}
    />
  );
}

const maxKeyBytes = 32_768;

function KeyFile({ onRead }: { onRead: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    const text = file.size > maxKeyBytes ? undefined : await file.text().catch(() => undefined);
    setRefusal(text === undefined ? 'Ce fichier n’est pas une clé privée lisible.' : undefined);
    if (text !== undefined) onRead(text);
  };
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        aria-label="Fichier de la clé privée"
        onChange={(event) => {
          void read(event.currentTarget.files?.[0]);
          // Lets the same file be chosen again after a correction.
          event.currentTarget.value = '';
        }}
      />
      <Group gap="8px 12px">
        <Button
          variant="default"
          leftSection={<KeyRound size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          Choisir un fichier
        </Button>
        <Text span role="alert" c="danger" fz={13}>
          {refusal}
        </Text>
      </Group>
    </>
  );
}

type Field = 'privateKeyPem' | 'passphrase';
type PrivateKeyFieldsProps = {
  form: {
    field: (name: Field) => FieldProps;
    change: (changes: { privateKeyPem: string }) => void;
  };
  /** The hint of an empty field, when a key is stored. */
  storedHint: string | undefined;
};

/** A private key, pasted or read from a file, and its passphrase. */
export function PrivateKeyFields({ form, storedHint }: PrivateKeyFieldsProps) {
  return (
    <>
      <Textarea
        {...form.field('privateKeyPem')}
        label="Clé privée"
        rows={5}
        placeholder={storedHint === undefined ? '-----BEGIN OPENSSH PRIVATE KEY-----' : '••••••••'}
        description={storedHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
      />
      <KeyFile onRead={(privateKeyPem) => form.change({ privateKeyPem })} />
      <PasswordField
        {...form.field('passphrase')}
        label="Phrase secrète de la clé"
        autoComplete="new-password"
        hint="Seulement si la clé en a une. Elle n’est pas conservée."
      />
    </>
  );
}
