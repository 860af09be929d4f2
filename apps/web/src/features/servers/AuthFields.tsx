import { FileKey, RectangleEllipsis, Sparkles } from 'lucide-react';
import { Choices } from '../../ui/Choices';
import { PasswordField } from '../../ui/PasswordField';
import { PrivateKeyFields } from '../../ui/PrivateKeyFields';
import styles from './ServerDialog.module.css';
import type { ServerForm } from './useServerForm';
import { asksPassword } from './values';

const made = { value: 'made', label: 'Clé créée par Vigie', icon: Sparkles } as const;
const password = { value: 'password', label: 'Mot de passe', icon: RectangleEllipsis } as const;
const key = { value: 'key', label: 'Clé privée', icon: FileKey } as const;

const dots = '••••••••';

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

/** How Vigie logs in: one way, and the secret of that way alone. */
export function AuthFields({ form }: { form: ServerForm }) {
  const { server, values, errors, change, leave } = form;
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
      {values.method === 'key' && (
        <PrivateKeyFields
          values={values}
          errors={errors}
          kept={
            server?.has_password === false
              ? 'Laissez vide pour garder la clé enregistrée, donnée par vous ou créée par Vigie.'
              : undefined
          }
          onChange={change}
          onLeave={leave}
        />
      )}
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
