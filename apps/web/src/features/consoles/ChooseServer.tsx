import { Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { serverState } from '@vigie/contracts/server-state';
import type { Server } from '@vigie/contracts/servers';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { useServerSearch } from '../../kit/fleet/servers';
import { serverStates } from '../../kit/words/server-state';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { addressOf } from '../../ui/serverAddress';
import { Skeleton } from '../../ui/Skeleton';
import { Status, TypeBadge } from '../../ui/Status';
import styles from './consoles.module.css';
import type { Target } from './targets';

type Props = { onChoose: (target: Target) => void; onClose: () => void };

export function ChooseServer({ onChoose, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const { data, error } = useServerSearch(q);
  const sentence = failureMessage(error, 'Impossible de charger les serveurs.');
  const remaining = data ? data.total - data.items.length : 0;
  return (
    <FormDialog title="Nouvelle console" onClose={onClose}>
      <Stack gap={12} p={{ base: 16, sm: '16px 24px 24px' }}>
        <TextInput
          type="search"
          label="Serveur"
          placeholder="Nom, hôte ou fournisseur"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Failure sentence={sentence} />
        {!data && !error && <Skeleton rows={4} height={44} />}
        <ul aria-label="Serveurs">
          {data?.items.map((server) => (
            <ServerLine key={server.id} server={server} onChoose={onChoose} />
          ))}
        </ul>
        <Text component="output" c="muted" fz={13}>
          {data?.items.length === 0 && 'Aucun serveur ne correspond.'}
          {remaining > 0 && `Et ${remaining} de plus\u00a0: précisez la recherche.`}
        </Text>
      </Stack>
    </FormDialog>
  );
}

function ServerLine({ server, onChoose }: Pick<Props, 'onChoose'> & { server: Server }) {
  const { tone, word } = serverStates[serverState(server.status.online, server.status.alerts)];
  return (
    <li>
      <button type="button" className={styles['server']} onClick={() => onChoose(server)}>
        <Text span fw={500}>
          {server.name}
        </Text>
        <TypeBadge type={server.type} />
        <Status tone={tone}>{word}</Status>
        <Text span truncate c="muted" ff="monospace" fz={12}>
          {addressOf(server)}
        </Text>
      </button>
    </li>
  );
}
