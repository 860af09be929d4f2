import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import type { Server } from '@vigie/contracts/servers';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useAssignableServers } from '../../kit/fleet/servers';
import { SelectField } from '../../ui/SelectField';
import { addressOf } from '../../ui/serverAddress';
import type { SiteForm } from './useSiteForm';

const fullRow = { gridColumn: '1 / -1' };
const labelOf = (server: Server) => `${server.name} — ${addressOf(server)}`;

/** Keeps Enter in the search field from sending the form. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
}

/** The first servers that match the search. */
function useChoices(query: string, owner: string | undefined) {
  const [q] = useDebouncedValue(query.trim(), 200);
  const allServers = useAssignableServers('', owner);
  return { ...useAssignableServers(q, owner), hasSearch: allServers.more > 0 };
}

function hintOf(query: string, { items, more }: ReturnType<typeof useChoices>): string {
  if (more > 0) return `${items.length} serveurs affichés, ${more} de plus\u00a0: précisez la recherche.`;
  if (query.trim() === '') return '';
  return items.length === 0 ? 'Aucun serveur ne correspond.' : 'Choisissez parmi ceux qui correspondent.';
}

type Props = { owner: string | undefined; form: SiteForm; server: Server | undefined };

/** Chooses the site's server, with a search field where there are too many to list. */
export function ServerChoice({ owner, form: { site, values, field }, server: chosen }: Props) {
  const [query, setQuery] = useState('');
  const choices = useChoices(query, owner);
  const { items, hasSearch } = choices;
  const isListed = values.server === '' || items.some(({ id }) => id === values.server);
  const { server_id: storedId, server_name: storedName } = site?.connection.ssh ?? {};
  const chosenLabel = chosen ? labelOf(chosen) : (storedId === values.server && storedName) || '…';
  return (
    <>
      {hasSearch && <ServerSearch value={query} hint={hintOf(query, choices)} onChange={setQuery} />}
      <SelectField
        label="Serveur SSH"
        description={
          values.server === ''
            ? 'Le site reprend l’adresse, l’utilisateur et l’accès du serveur choisi.'
            : 'Les champs laissés vides reprennent les valeurs du serveur.'
        }
        style={fullRow}
        data={[
          { value: '', label: 'Aucun' },
          ...(isListed ? [] : [{ value: values.server, label: chosenLabel }]),
          ...items.map((server) => ({ value: server.id, label: labelOf(server) })),
        ]}
        {...field('server')}
      />
    </>
  );
}

type ServerSearchProps = { value: string; hint: string; onChange: (query: string) => void };

function ServerSearch({ value, hint, onChange }: ServerSearchProps) {
  return (
    <TextInput
      type="search"
      aria-label="Rechercher un serveur"
      placeholder="Rechercher un serveur"
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      spellCheck={false}
      style={fullRow}
      leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={keepEnter}
    />
  );
}
