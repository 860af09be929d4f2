import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OrderProposal, ProposalState } from '@vigie/contracts/proposals';
import { type ReactNode, useState } from 'react';
import { JobLink } from '../../kit/job/JobLink';
import { useBatch } from '../../kit/job/useBatch';
import { PendingCard } from '../../kit/list/PendingCard';
import { isApiError } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';
import { proposalTitle } from '../../kit/words/proposals';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { PageHead } from '../../ui/Page';
import { usePageTitle } from '../../ui/pageTitle';
import { SectionCard } from '../../ui/SectionCard';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { ConfirmRestore } from './ConfirmRestore';
import { ProposalPlan } from './ProposalPlan';
import { proposalsApi } from './proposals.api';
import { useAge } from './useAge';
import { describeState, proposedBy, stateOf, timeLeft } from './words';

type ShownProps = { proposal: OrderProposal; state: ProposalState };

/** Nobody knows whether the order was given: what it would have made shows it. */
const UnknownOutcome = ({ settled, canRepeat }: { settled: ReactNode; canRepeat: boolean }) => (
  <Callout tone="warn">
    <p>
      Confirmée {settled}
      {', mais la réponse s’est perdue\u00a0: on ne sait pas si l’ordre est parti.'}
    </p>
    <p>
      {canRepeat ? 'Réessayez\u00a0: rien ne se fait deux fois. Ou regardez' : 'Regardez'} dans{' '}
      <Link to="/tasks">les tâches</Link> et dans le journal des sites.
    </p>
  </Callout>
);

/** What came of the proposal, once it is no longer open. */
function Outcome({ proposal, state }: ShownProps) {
  const { settled_by: who, settled_at: at, job_id: jobId, refusal, can_confirm: canRepeat } = proposal;
  const settled = at !== null && (
    <>
      {`par ${who ?? 'un compte supprimé'} `}
      <TimeAgo at={at} />
    </>
  );
  if (state === 'refused')
    return <Callout tone="danger">{refusal ?? 'Les sites ont changé depuis cette proposition.'}</Callout>;
  if (state === 'expired')
    return <Callout tone="warn">Cette proposition valait une heure. Redemandez-la à l’assistant.</Callout>;
  if (state === 'rejected') return <Callout tone="info">Refusée {settled}.</Callout>;
  if (jobId === null) return <UnknownOutcome settled={settled} canRepeat={canRepeat} />;
  return (
    <Callout tone="ok">
      Confirmée {settled}. <JobLink id={jobId}>Voir la tâche</JobLink>
    </Callout>
  );
}

/** Who confirmed it gives its order again where no answer came; who lost the right on its sites only rejects it. */
function Answers({ proposal, isRepeated }: { proposal: OrderProposal; isRepeated: boolean }) {
  const { id, order, can_confirm: canConfirm } = proposal;
  const answers = useFocusHandOver<HTMLDivElement>('#proposal');
  const [isAsking, setAsking] = useState(false);
  const confirmation = useBatch(proposalsApi.useConfirmProposalMutation(), () => setAsking(false));
  const [reject, rejection] = proposalsApi.useRejectProposalMutation();
  const isRestore = order === 'restore';
  const execute = () => (isRestore ? setAsking(true) : confirmation.start({ id }));
  return (
    <Stack gap={8} ref={answers}>
      {!canConfirm && (
        <Callout tone="info">Vous n’avez plus le droit d’agir sur tous les sites de cette proposition.</Callout>
      )}
      <Failure sentence={(isAsking ? undefined : confirmation.failure) ?? sentenceOf(rejection.error)} />
      <Group gap={8}>
        {canConfirm && (
          <Button color={isRestore ? 'danger' : 'accent'} loading={confirmation.isBusy} onClick={execute}>
            {isRepeated ? 'Réessayer' : 'Exécuter'}
          </Button>
        )}
        {!isRepeated && (
          <Button variant="default" loading={rejection.isLoading} onClick={() => void reject({ id })}>
            Refuser
          </Button>
        )}
      </Group>
      {isAsking && (
        <ConfirmRestore
          proposal={proposal}
          call={confirmation.call}
          onConfirm={() => confirmation.start({ id })}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}

/** The words of a program, which nobody has checked: they stand apart from those of Vigie. */
const Reason = ({ reason }: { reason: string }) => (
  <SectionCard
    title="Motif donné par l’assistant"
    about="Ce texte vient d’un programme\u00a0: Vigie ne l’a pas vérifié."
  >
    <Text
      component="blockquote"
      m={0}
      pl={12}
      style={{ overflowWrap: 'anywhere', borderLeft: '3px solid var(--border)' }}
    >
      {reason}
    </Text>
  </SectionCard>
);

function Shown({ proposal, readAt }: { proposal: OrderProposal; readAt: number }) {
  const ageMs = useAge(readAt);
  const state = stateOf(proposal, ageMs);
  const { tone, word } = describeState(state);
  const title = proposalTitle(proposal);
  usePageTitle(title);
  const isRepeated = state === 'unknown';
  return (
    <Stack gap={16} maw={960}>
      <PageHead>
        <Stack gap={4} miw={0}>
          <Group gap="4px 12px">
            <h1 id="proposal" tabIndex={-1}>
              {title}
            </h1>
            <Status tone={tone}>{word}</Status>
          </Group>
          <Text c="muted" style={{ overflowWrap: 'anywhere' }}>
            {proposedBy(proposal.proposed_by)} <TimeAgo at={proposal.created_at} />.{' '}
            {state === 'open' && timeLeft(proposal, ageMs)}
          </Text>
        </Stack>
      </PageHead>
      <output>{state !== 'open' && <Outcome proposal={proposal} state={state} />}</output>
      <ProposalPlan proposal={proposal} state={state} />
      {proposal.reason !== null && <Reason reason={proposal.reason} />}
      {(state === 'open' || (isRepeated && proposal.can_confirm)) && (
        <Answers proposal={proposal} isRepeated={isRepeated} />
      )}
    </Stack>
  );
}

const isMissing = (error: unknown): boolean => isApiError(error) && (error.status === 404 || error.status === 400);

type Props = {
  id: string;
  /** Takes the place of a proposal that does not exist, or that the person may not see. */
  missing: ReactNode;
};

export function ProposalPage({ id, missing }: Props) {
  const {
    currentData,
    error,
    isFetching,
    refetch,
    fulfilledTimeStamp = 0,
  } = proposalsApi.useProposalQuery({ id }, { refetchOnMountOrArgChange: true, refetchOnFocus: true });
  if (currentData) return <Shown proposal={currentData} readAt={fulfilledTimeStamp} />;
  if (isMissing(error)) return missing;
  const failure = 'Impossible de lire cette proposition.';
  return <PendingCard failure={failure} error={error} isFetching={isFetching} onRetry={() => void refetch()} />;
}
