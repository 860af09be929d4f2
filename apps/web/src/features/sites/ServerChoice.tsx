import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import type { Server } from '@vigie/contracts/servers';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useFittingServers } from '../../app/servers';
import { SelectField } from '../../ui/SelectField';
import { addressOf } from '../../ui/serverAddress';
import styles from './SiteDialog.module.css';
import type { SiteForm } from './useSiteForm';

const labelOf = (server: Server) => `${server.name} — ${addressOf(server)}`;

/** The form is sent by its other fields. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
}

/** The first that match what is typed, and the one that is chosen. */
function useChoices(typed: string, owner: string | undefined) {
  const [q] = useDebouncedValue(typed.trim(), 200);
  const first = useFittingServers('', owner);
  return { ...useFittingServers(q, owner), isMany: first.more > 0 };
}

function hintOf(typed: string, { items, more }: ReturnType<typeof useChoices>): string {
  if (more > 0) return `Les ${items.length} premiers sont proposés, et ${more} de plus\u00a0: précisez la recherche.`;
  if (typed.trim() === '') return '';
  return items.length === 0 ? 'Aucun serveur ne correspond.' : 'Choisissez parmi ceux qui correspondent.';
}

type Props = { owner: string | undefined; form: SiteForm; server: Server | undefined };

/** Its server, or none; from as many as there are on, they are searched. */
export function ServerChoice({ owner, form: { site, values, change }, server: chosen }: Props) {
  const [typed, setTyped] = useState('');
  const choices = useChoices(typed, owner);
  const { items, isMany } = choices;
  const isShown = values.server === '' || items.some(({ id }) => id === values.server);
  const { server_id: storedId, server_name: storedName } = site?.connection.ssh ?? {};
  const chosenLabel = chosen ? labelOf(chosen) : (storedId === values.server && storedName) || '…';
  return (
    <>
      {isMany && (
        <TextInput
          type="search"
          aria-label="Rechercher un serveur"
          placeholder="Rechercher un serveur"
          description={hintOf(typed, choices)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          spellCheck={false}
          className={styles['server'] ?? ''}
          leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={keepEnter}
        />
      )}
      <SelectField
        name="server"
        label="Serveur SSH"
        description={
          values.server === ''
            ? 'Un serveur donne au site son adresse, son utilisateur et son accès.'
            : 'Ce qui reste vide ci-dessous vient du serveur.'
        }
        className={styles['server']}
        data={[
          { value: '', label: 'Aucun' },
          ...(isShown ? [] : [{ value: values.server, label: chosenLabel }]),
          ...items.map((server) => ({ value: server.id, label: labelOf(server) })),
        ]}
        value={values.server}
        onChange={(event) => change({ server: event.currentTarget.value })}
      />
    </>
  );
}
