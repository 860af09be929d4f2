import { Button, Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Search, Server as ServerIcon } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import dialog from '../../kit/dialog/dialog.module.css';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useServerSearch } from '../../kit/fleet/servers';
import { failureMessage } from '../../kit/query/failures';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { addressOf } from '../../ui/serverAddress';
import { Skeleton } from '../../ui/Skeleton';

type Props = { onChoose: (serverId: string) => void; onClose: () => void };

/** Chooses the server whose sites are discovered; the only server needs no choice. */
export function ChooseServer({ onChoose, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [q] = useDebouncedValue(query.trim(), 200);
  const all = useServerSearch('');
  const [only, ...others] = all.data?.items ?? [];
  const onlyId = others.length === 0 ? only?.id : undefined;
  const choose = useEffectEvent(onChoose);
  useEffect(() => {
    if (onlyId !== undefined) choose(onlyId);
  }, [onlyId]);
  const hasSearch = all.data !== undefined && all.data.total > all.data.items.length;
  return (
    <FormDialog title="Découvrir des sites" onClose={onClose}>
      {all.data?.total === 0 ? (
        <NoServers />
      ) : (
        <div className={dialog['content']}>
          <p>{'Sur quel serveur chercher des sites WordPress\u202f? Rien n’y est modifié.'}</p>
          {hasSearch && <ServerSearch value={query} onChange={setQuery} />}
          <Servers q={q} onChoose={onChoose} />
        </div>
      )}
    </FormDialog>
  );
}

function Servers({ q, onChoose }: Pick<Props, 'onChoose'> & { q: string }) {
  const { data, error, isFetching, refetch } = useServerSearch(q);
  const failure = failureMessage(error, 'Impossible de charger les serveurs.');
  if (failure !== undefined)
    return (
      <Failure sentence={failure}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Failure>
    );
  if (!data) return <Skeleton rows={3} height={44} />;
  if (data.items.length === 0) return <Text c="muted">Aucun serveur ne correspond.</Text>;
  const more = data.total - data.items.length;
  return (
    <>
      <Lines aria-label="Serveurs" isFramed>
        {data.items.map((server) => (
          <Group component="li" key={server.id} gap={8} p="6px 6px 6px 12px" wrap="nowrap" justify="space-between">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <strong>{server.name}</strong>{' '}
              <Text span variant="note">
                {addressOf(server)}
              </Text>
            </div>
            <Button
              variant="default"
              flex="none"
              aria-label={`Chercher sur ${server.name}`}
              onClick={() => onChoose(server.id)}
            >
              Chercher
            </Button>
          </Group>
        ))}
      </Lines>
      {more > 0 && (
        <Text variant="note">{`${plural(more, 'autre serveur', 'autres serveurs')}\u00a0: précisez la recherche.`}</Text>
      )}
    </>
  );
}

const ServerSearch = ({ value, onChange }: { value: string; onChange: (query: string) => void }) => (
  <TextInput
    data-autofocus
    type="search"
    aria-label="Rechercher un serveur"
    placeholder="Rechercher un serveur"
    autoComplete="off"
    spellCheck={false}
    leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

const NoServers = () => (
  <EmptyState
    icon={ServerIcon}
    title="Aucun serveur pour l’instant."
    actions={
      <Button renderRoot={(props) => <Link {...props} to="/servers" search={{ add: true }} />}>
        Ajouter un serveur
      </Button>
    }
  >
    <p>Ajoutez d’abord le serveur qui porte vos sites.</p>
  </EmptyState>
);
