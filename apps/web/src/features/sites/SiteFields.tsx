import type { TextInputProps } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import access from '../../kit/form/Access.module.css';
import { GroupsField } from '../../kit/fleet/GroupsField';
import { useServer } from '../../kit/fleet/servers';
import { LineField } from '../../ui/LineField';
import { ServerChoice } from './ServerChoice';
import { SiteAuth } from './SiteAuth';
import styles from './SiteDialog.module.css';
import type { SiteForm } from './useSiteForm';

type TextField = 'name' | 'url' | 'host' | 'port' | 'user' | 'path';

const texts: Record<TextField, TextInputProps> = {
  name: { label: 'Nom', maxLength: 100, autoCapitalize: 'sentences' },
  url: { label: 'URL', maxLength: 2_048, placeholder: 'https://exemple.fr', inputMode: 'url' },
  host: { label: 'Hôte', maxLength: 253, inputMode: 'url' },
  port: { label: 'Port', maxLength: 5, inputMode: 'numeric' },
  user: { label: 'Utilisateur', maxLength: 64 },
  path: { label: 'Chemin WP', maxLength: 4_096 },
};

type Props = { field: TextField; form: SiteForm } & Pick<TextInputProps, 'description' | 'placeholder'> & {
    'data-autofocus'?: boolean;
  };

function Text({ field, form, ...rest }: Props) {
  return <LineField {...texts[field]} className={styles[field] ?? ''} {...form.field(field)} {...rest} />;
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

export function SiteFields({ owner, form }: { owner: string | undefined; form: SiteForm }) {
  const { values, change } = form;
  const { currentData: server } = useServer(values.server || undefined);
  return (
    <>
      <div className={access['fields']}>
        <Text field="name" form={form} data-autofocus />
        <Text field="url" form={form} />
        <div className={styles['groups']}>
          <GroupsField owner={owner} value={values.groups} onChange={(groups) => change({ groups })} />
        </div>
      </div>
      <div className={access['fields']}>
        <h3 className={styles['heading']}>Connexion SSH</h3>
        <ServerChoice owner={owner} form={form} server={server} />
        <ConnectionFields form={form} server={server} />
      </div>
      <SiteAuth form={form} server={server} />
    </>
  );
}
