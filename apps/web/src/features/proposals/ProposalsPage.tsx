import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ProposalItem } from '@vigie/contracts/proposals';
import { Inbox } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { proposalTitle } from '../../kit/words/proposals';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { Page } from '../../ui/Page';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { proposalsApi } from './proposals.api';
import { useAge } from './useAge';
import { describeState, proposedBy, stateOf, timeLeft } from './words';

const maxShown = 100;

function Line({ proposal, ageMs }: { proposal: ProposalItem; ageMs: number }) {
  const state = stateOf(proposal, ageMs);
  const { tone, word } = describeState(state);
  return (
    <Group component="li" justify="space-between" gap="4px 12px" px={16} py={10}>
      <Stack gap={0} miw={0} flex="1 1 240px">
        <Link to="/proposals/$proposalId" params={{ proposalId: proposal.id }}>
          {proposalTitle(proposal)}
        </Link>
        <Text variant="hint" style={{ overflowWrap: 'anywhere' }}>
          {proposedBy(proposal.proposed_by)} <TimeAgo at={proposal.created_at} />.{' '}
          {state === 'open' && timeLeft(proposal, ageMs)}
        </Text>
      </Stack>
      <Status tone={tone}>{word}</Status>
    </Group>
  );
}

function Proposals({ items, readAt }: { items: readonly ProposalItem[]; readAt: number }) {
  const ageMs = useAge(readAt);
  if (items.length === 0)
    return (
      <Card>
        <EmptyState icon={Inbox} title="Aucune proposition.">
          <p>Un assistant relié par un jeton prépare ici ce qu’il propose. Rien ne se fait sans votre accord.</p>
        </EmptyState>
      </Card>
    );
  return (
    <Card>
      <Lines aria-label="Propositions">
        {items.map((proposal) => (
          <Line key={proposal.id} proposal={proposal} ageMs={ageMs} />
        ))}
      </Lines>
    </Card>
  );
}

/** What assistants proposed in the last month, the newest first. */
export function ProposalsPage() {
  const {
    currentData,
    error,
    isFetching,
    refetch,
    fulfilledTimeStamp = 0,
  } = proposalsApi.useProposalsQuery({ limit: maxShown }, { refetchOnMountOrArgChange: true, refetchOnFocus: true });
  const failure = 'Impossible de charger les propositions.';
  return (
    <Page title="Propositions" lead="Ce que vos assistants proposent, et que vous seul pouvez lancer." maxWidth={960}>
      {currentData ? (
        <Proposals items={currentData.items} readAt={fulfilledTimeStamp} />
      ) : (
        <PendingCard failure={failure} error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
