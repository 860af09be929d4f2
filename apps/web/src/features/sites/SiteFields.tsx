import { Box, Stack, type TextInputProps } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import access from '../../kit/form/Access.module.css';
import { GroupsField } from '../../kit/fleet/GroupsField';
import { useServer } from '../../kit/fleet/servers';
import { LineField } from '../../ui/LineField';
import { ServerChoice } from './ServerChoice';
import styles from './sites.module.css';
import type { SiteForm } from './useSiteForm';
import { FileKey, RectangleEllipsis, ServerCog, Sparkles } from 'lucide-react';
import { AccessPassword, PrivateKeyFields } from '../../kit/form/AccessFields';
import { Choices } from '../../ui/Choices';
import { CopyLine } from '../../ui/CopyLine';
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
function SiteAuth({ form, server }: { form: SiteForm; server: Server | undefined }) {
  const { site, values, change } = form;
  const { public_key: publicKey = null, has_key: hasKey = false } = site?.connection.ssh ?? {};
  const isOwnKey = publicKey !== null && (values.method === 'key' || (values.method === 'own' && values.server === ''));
  return (
    <Stack gap={12}>
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
      {values.method === 'own' && (
        <Box component="p" c="muted">
          {noteOf(form, server)}
        </Box>
      )}
      {isOwnKey && <CopyLine label="Clé publique" text={publicKey} />}
    </Stack>
  );
}

type TextField = 'name' | 'url' | 'host' | 'port' | 'user' | 'path';

const texts: Record<TextField, TextInputProps> = {
  name: { label: 'Nom', maxLength: 100, autoCapitalize: 'sentences' },
  url: { label: 'URL', maxLength: 2_048, placeholder: 'https://exemple.fr', inputMode: 'url' },
  host: { label: 'Hôte', maxLength: 253, inputMode: 'url' },
  port: { label: 'Port', maxLength: 5, inputMode: 'numeric' },
  user: { label: 'Utilisateur', maxLength: 64 },
  path: { label: 'Chemin WP', maxLength: 4_096 },
};

/** In a row of six columns, or of three on a phone. */
const spans: Record<TextField, string> = {
  name: 'span 3',
  url: 'span 3',
  host: 'span 3',
  port: 'span 1',
  user: 'span 2',
  path: '1 / -1',
};

type Props = { field: TextField; form: SiteForm } & Pick<TextInputProps, 'description' | 'placeholder'> & {
    'data-autofocus'?: boolean;
  };

function Text({ field, form, ...rest }: Props) {
  return <LineField {...texts[field]} style={{ gridColumn: spans[field] }} {...form.field(field)} {...rest} />;
}

/** Shows the server's values as placeholders of the empty fields. */
function ConnectionFields({ form, server }: { form: SiteForm; server: Server | undefined }) {
  return (
    <>
      <Text field="host" form={form} placeholder={server?.host ?? 'web-03.exemple.fr'} />
      <Text field="port" form={form} placeholder={String(server?.port ?? 22)} />
      <Text field="user" form={form} placeholder={server?.user ?? 'deploy'} />
      <Text
        field="path"
        form={form}
        placeholder="/var/www/exemple.fr"
        description="Le dossier qui contient wp-config.php ou wp-load.php."
      />
    </>
  );
}

/** What a manager may change of a site of somebody else. */
export const SharedSiteFields = ({ form }: { form: SiteForm }) => (
  <Stack gap={16}>
    <LineField {...texts.name} {...form.field('name')} data-autofocus />
    <GroupsField
      isForShared
      owner={undefined}
      value={form.values.groups}
      onChange={(groups) => form.change({ groups })}
    />
  </Stack>
);

export function SiteFields({ owner, form }: { owner: string | undefined; form: SiteForm }) {
  const { values, change } = form;
  const { currentData: server } = useServer(values.server || undefined);
  return (
    <>
      <div className={`${access['fields']} ${styles['fields']}`}>
        <Text field="name" form={form} data-autofocus />
        <Text field="url" form={form} />
        <div style={{ gridColumn: '1 / -1' }}>
          <GroupsField owner={owner} value={values.groups} onChange={(groups) => change({ groups })} />
        </div>
      </div>
      <div className={`${access['fields']} ${styles['fields']}`}>
        <Box component="h3" mb={-4} fz={14} fw={600} style={{ gridColumn: '1 / -1' }}>
          Connexion SSH
        </Box>
        <ServerChoice owner={owner} form={form} server={server} />
        <ConnectionFields form={form} server={server} />
      </div>
      <SiteAuth form={form} server={server} />
    </>
  );
}
