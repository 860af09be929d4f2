import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Token } from '@vigie/contracts/tokens';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useGroupNames } from '../../kit/fleet/groups';
import { failureMessage } from '../../kit/query/failures';
import { formatDate } from '../../ui/dates';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { ConnectAssistant } from './ConnectAssistant';
import { CreateToken } from './CreateToken';
import { DeleteToken } from './DeleteToken';
import { InstallCommandLine } from './InstallCommandLine';
import { tokensApi } from './tokens.api';
import { expiryOf, nameScopes } from './words';

const hourMs = 60 * 60_000;
const maxTokens = 200;

function Expiry({ token }: { token: Token }) {
  const expiry = expiryOf(token, useNow(hourMs));
  if (expiry === 'over') return <Status tone="danger">Expiré</Status>;
  return (
    <>
      {expiry === 'soon' && <Status tone="warn">Expire bientôt</Status>}
      <Text variant="hint">Expire le {formatDate(new Date(token.expires_at))}</Text>
    </>
  );
}

/** What the token may do, and where; in admin mode also whose it is. */
function About({ token }: { token: Token }) {
  const namesOf = useGroupNames();
  const { group_ids: groups, user_name: owner, user_email: email } = token;
  const names = namesOf(groups ?? []).map(({ name }) => name);
  return (
    <>
      {owner !== undefined && <Text variant="hint">{owner === email ? owner : `${owner} (${email})`}</Text>}
      <Text variant="hint">{nameScopes(token.scopes)}</Text>
      {groups && <Text variant="hint">{`Limité à ${names.join(', ') || 'des groupes supprimés'}`}</Text>}
      <Text variant="hint">
        Créé <TimeAgo at={token.created_at} />
        {' · '}
        <LastUse token={token} />
      </Text>
    </>
  );
}

function LastUse({ token: { last_used_at: at, last_used_address: address } }: { token: Token }) {
  if (at === null) return 'jamais utilisé';
  return (
    <>
      utilisé <TimeAgo at={at} />
      {address !== null && ` depuis ${address}`}
    </>
  );
}

function TokenLine({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const line = useFocusHandOver<HTMLLIElement>('#api-access');
  return (
    <li ref={line}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap={12} py={8}>
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text fw={500}>{token.name}</Text>
          <About token={token} />
          <Expiry token={token} />
        </Box>
        <IconButton isAtEdge icon={Trash2} label={`Révoquer le jeton ${token.name}`} onClick={onRevoke} />
      </Group>
    </li>
  );
}

function TokensList({ tokens }: { tokens: readonly Token[] }) {
  const [revoked, setRevoked] = useState<Token>();
  return (
    <>
      {tokens.length === 0 && (
        <Text c="muted">Aucun jeton. Un jeton laisse un programme agir en votre nom, sans votre mot de passe.</Text>
      )}
      {tokens.length > 0 && (
        <Lines w="100%">
          {tokens.map((token) => (
            <TokenLine key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </Lines>
      )}
      {revoked && <DeleteToken token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

/** The tokens of the user, and everybody's in admin mode. */
export function Tokens() {
  const { currentData, error, isFetching, refetch } = tokensApi.useTokensQuery(
    { limit: maxTokens },
    { refetchOnMountOrArgChange: true },
  );
  const [isCreating, setCreating] = useState(false);
  const failure = failureMessage(error, 'Impossible de charger les jetons.');
  return (
    <Stack component="section" align="flex-start" gap={8} aria-labelledby="api-access">
      <h3 id="api-access" tabIndex={-1}>
        Accès API
      </h3>
      {failure !== undefined && (
        <Failure sentence={failure}>
          <RetryButton isBusy={isFetching} onRetry={refetch} />
        </Failure>
      )}
      {currentData && <TokensList tokens={currentData.items} />}
      {!currentData && failure === undefined && <Skeleton rows={2} height={56} />}
      <Group gap={12}>
        <Button variant="default" onClick={() => setCreating(true)}>
          Créer un jeton
        </Button>
        <Link to="/reference" className={links['inline']}>
          Référence de l’API
        </Link>
      </Group>
      <ConnectAssistant />
      <InstallCommandLine />
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </Stack>
  );
}
