import { FileKey, RectangleEllipsis, Sparkles } from 'lucide-react';
import { AccessPassword } from '../../kit/form/AccessPassword';
import access from '../../kit/form/Access.module.css';
import { Choices } from '../../ui/Choices';
import { PrivateKeyFields } from '../../kit/form/PrivateKeyFields';
import type { ServerForm } from './useServerForm';
import { needsPassword } from './values';

const generatedKey = { value: 'made', label: 'Clé créée par Vigie', icon: Sparkles } as const;
const password = { value: 'password', label: 'Mot de passe', icon: RectangleEllipsis } as const;
const key = { value: 'key', label: 'Clé privée', icon: FileKey } as const;

/** Shows only the secret of the chosen authentication method. */
export function AuthFields({ form }: { form: ServerForm }) {
  const { server, values, change } = form;
  const choices = server
    ? server.has_password
      ? [password, key, generatedKey]
      : [key, password]
    : [generatedKey, password, key];
  return (
    <div className={access['auth']}>
      <Choices
        legend="Authentification"
        choices={choices}
        value={values.method}
        onChange={(method) => change({ method })}
      />
      {values.method === 'password' && (
        <AccessPassword
          form={form}
          isStored={server?.has_password === true}
          hasNewAddress={needsPassword(server, values)}
        />
      )}
      {values.method === 'key' && (
        <PrivateKeyFields
          form={form}
          storedHint={server?.has_password === false ? 'Laissez vide pour garder la clé enregistrée.' : undefined}
        />
      )}
      {values.method === 'made' && (
        <p className={access['note']}>
          {server
            ? 'Le mot de passe enregistré sera oublié. La clé publique de ce serveur, et la ligne à y exécuter, s’affichent ensuite.'
            : 'Vigie crée une paire de clés pour ce serveur. La clé publique, et la ligne à exécuter sur le serveur, s’affichent ensuite.'}
        </p>
      )}
    </div>
  );
}
