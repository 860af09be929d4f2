import type { Server } from '@vigie/contracts/servers';
import { FileKey, RectangleEllipsis, ServerCog, Sparkles } from 'lucide-react';
import { AccessPassword } from '../../kit/form/AccessPassword';
import access from '../../kit/form/Access.module.css';
import { Choices } from '../../ui/Choices';
import { CopyLine } from '../../ui/CopyLine';
import { PrivateKeyFields } from '../../kit/form/PrivateKeyFields';
import type { SiteForm } from './useSiteForm';
import { needsPassword } from './values';

const inherited = { value: 'own', label: 'Celui du serveur', icon: ServerCog } as const;
const generatedKey = { value: 'own', label: 'Clé du site', icon: Sparkles } as const;
const password = { value: 'password', label: 'Mot de passe', icon: RectangleEllipsis } as const;
const key = { value: 'key', label: 'Clé privée', icon: FileKey } as const;

/** Explains the access of a site without credentials of its own. */
function noteOf(form: SiteForm, server: Server | undefined): string {
  const { values, site } = form;
  if (values.server !== '') {
    const credential = server?.has_password ? 'le mot de passe' : 'la clé';
    return `Vigie se connecte avec ${credential} du serveur${server ? ` ${server.name}` : ''}.`;
  }
  if (site && site.connection.ssh.public_key !== null) return 'Cette clé doit être autorisée sur l’hôte.';
  return 'Vigie crée une paire de clés pour ce site. La clé publique, et la ligne à exécuter sur l’hôte, s’affichent ensuite.';
}

/** Chooses between the server's access and credentials of the site's own. */
export function SiteAuth({ form, server }: { form: SiteForm; server: Server | undefined }) {
  const { site, values, change } = form;
  const { public_key: publicKey = null, has_key: hasKey = false } = site?.connection.ssh ?? {};
  const isOwnKey = publicKey !== null && (values.method === 'key' || (values.method === 'own' && values.server === ''));
  return (
    <div className={access['auth']}>
      <Choices
        legend="Accès"
        choices={[values.server === '' ? generatedKey : inherited, password, key]}
        value={values.method}
        onChange={(method) => change({ method })}
      />
      {values.method === 'password' && (
        <AccessPassword
          form={form}
          isStored={site?.connection.ssh.has_password === true}
          hasNewAddress={needsPassword(site, values)}
        />
      )}
      {values.method === 'key' && (
        <PrivateKeyFields
          form={form}
          storedHint={hasKey ? 'Laissez vide pour garder la clé enregistrée.' : undefined}
        />
      )}
      {values.method === 'own' && <p className={access['note']}>{noteOf(form, server)}</p>}
      {isOwnKey && <CopyLine label="Clé publique" text={publicKey} />}
    </div>
  );
}
