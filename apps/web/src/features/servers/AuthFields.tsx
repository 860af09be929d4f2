import { Button, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { FileKey, KeyRound, RectangleEllipsis, Sparkles } from 'lucide-react';
import { useRef, useState } from 'react';
import { Choices } from '../../ui/Choices';
import { PasswordField } from '../../ui/PasswordField';
import styles from './ServerDialog.module.css';
import type { ServerForm } from './useServerForm';
import { asksPassword } from './values';

const made = { value: 'made', label: 'Clé créée par Vigie', icon: Sparkles } as const;
const password = { value: 'password', label: 'Mot de passe', icon: RectangleEllipsis } as const;
const key = { value: 'key', label: 'Clé privée', icon: FileKey } as const;

const dots = '••••••••';
const maxKeyBytes = 32_768;

function Password({ form }: { form: ServerForm }) {
  const { server, values, errors, change, leave } = form;
  const isKept = server?.has_password === true && !asksPassword(server, values);
  const isMoved = server?.has_password === true && !isKept;
  const moved =
    'L’adresse a changé\u00a0: le mot de passe enregistré ne vaut que pour l’ancienne. Saisissez-le de nouveau.';
  return (
    <PasswordField
      name="password"
      label="Mot de passe"
      autoComplete="new-password"
      placeholder={isKept ? dots : undefined}
      hint={
        isMoved && !errors.password
          ? moved
          : isKept
            ? 'Laissez vide pour garder le mot de passe enregistré.'
            : undefined
      }
      value={values.password}
      error={errors.password}
      onChange={(typed) => change({ password: typed })}
      onLeave={() => leave('password')}
    />
  );
}

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
          // The same file, mended meanwhile, can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <div className={styles['file']}>
        <Button
          variant="default"
          leftSection={<KeyRound size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          Choisir un fichier
        </Button>
        <span role="alert" className={styles['refusal']}>
          {refusal}
        </span>
      </div>
    </>
  );
}

function PrivateKey({ form: { server, values, errors, change, leave } }: { form: ServerForm }) {
  const isKept = server?.has_password === false;
  return (
    <>
      <Textarea
        name="privateKeyPem"
        label="Clé privée"
        rows={5}
        placeholder={isKept ? dots : '-----BEGIN OPENSSH PRIVATE KEY-----'}
        description={
          isKept ? 'Laissez vide pour garder la clé enregistrée, donnée par vous ou créée par Vigie.' : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        classNames={{ input: styles['pem'] ?? '' }}
        value={values.privateKeyPem}
        error={errors.privateKeyPem}
        onChange={(event) => change({ privateKeyPem: event.currentTarget.value })}
        onBlur={() => leave('privateKeyPem')}
      />
      <KeyFile onRead={(text) => change({ privateKeyPem: text })} />
      <PasswordField
        name="passphrase"
        label="Phrase secrète de la clé"
        autoComplete="new-password"
        hint="Seulement si la clé en a une. Elle n’est pas conservée."
        value={values.passphrase}
        error={errors.passphrase}
        onChange={(typed) => change({ passphrase: typed })}
        onLeave={() => leave('passphrase')}
      />
    </>
  );
}

/** How Vigie logs in: one way, and the secret of that way alone. */
export function AuthFields({ form }: { form: ServerForm }) {
  const { server, values, change } = form;
  const choices = server ? (server.has_password ? [password, key, made] : [key, password]) : [made, password, key];
  return (
    <div className={styles['auth']}>
      <Choices
        legend="Authentification"
        choices={choices}
        value={values.method}
        onChange={(method) => change({ method })}
      />
      {values.method === 'password' && <Password form={form} />}
      {values.method === 'key' && <PrivateKey form={form} />}
      {values.method === 'made' && (
        <p className={styles['note']}>
          {server
            ? 'Le mot de passe enregistré sera oublié. La clé publique de ce serveur, et la ligne à y exécuter, s’affichent ensuite.'
            : 'Vigie crée une paire de clés pour ce serveur. La clé publique, et la ligne à exécuter sur le serveur, s’affichent ensuite.'}
        </p>
      )}
    </div>
  );
}
