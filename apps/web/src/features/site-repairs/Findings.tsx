import { Box, Button, Stack, Text } from '@mantine/core';
import type { Proposal, Repair, RepairCheck } from '@vigie/contracts/site-repairs';
import { type ReactNode, useId, useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { type CallState, sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { CopyLine } from '../../ui/CopyLine';
import { CodeBox } from '../../ui/CodeBox';
import { Fact, FactList } from '../../ui/FactList';
import { Failure } from '../../ui/Failure';
import { Status, type Tone } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { bootStatus, locationOf, maintenanceStatus, pageStatus } from './words';

function Finding({
  name,
  status,
  children,
}: {
  name: string;
  status: { tone: Tone; word: string };
  children?: ReactNode;
}) {
  return (
    <Fact name={name}>
      <Stack gap={4} align="flex-start">
        <Status tone={status.tone}>{status.word}</Status>
        {children}
      </Stack>
    </Fact>
  );
}

function ErrorLocation({ message, location }: { message: string; location: string | undefined }) {
  return (
    <>
      {location !== undefined && <code>{location}</code>}
      {message !== '' && (
        <Box w="100%" __vars={{ '--code': '160px' }}>
          <CodeBox>{message}</CodeBox>
        </Box>
      )}
    </>
  );
}

export function Findings({ check }: { check: RepairCheck }) {
  const { boot, pages, maintenance, last_fatal: fatal } = check;
  const { problem } = boot;
  return (
    <FactList style={{ gap: 12, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Finding name="WordPress" status={bootStatus(boot)}>
        {problem && <ErrorLocation message={problem.message} location={locationOf(problem)} />}
      </Finding>
      <Finding name="Page d’accueil" status={pageStatus(pages.home)} />
      <Finding name="Page de connexion" status={pageStatus(pages.login)} />
      <Finding name="Maintenance" status={maintenanceStatus(maintenance)}>
        {maintenance && (
          <Text variant="note">
            {'.maintenance, '}
            <TimeAgo at={maintenance.made_at} />
          </Text>
        )}
      </Finding>
      <Finding
        name="Dernière erreur fatale"
        status={
          fatal ? { tone: 'neutral', word: 'Dans ses journaux' } : { tone: 'neutral', word: 'Aucune dans ses journaux' }
        }
      >
        {fatal && (
          <>
            {fatal.at !== null && (
              <Text variant="note">
                <TimeAgo at={fatal.at} />
                {fatal.culprit && fatal.culprit.type !== 'core' && ` · ${fatal.culprit.slug}`}
              </Text>
            )}
            <ErrorLocation message={fatal.message} location={locationOf(fatal)} />
          </>
        )}
      </Finding>
    </FactList>
  );
}

type Props = {
  proposal: Proposal;
  isBusy: boolean;
  /** Resolves to the error when the repair was refused. */
  apply: (repair: Repair) => Promise<unknown>;
  children?: ReactNode;
};

/** Moving code away can break the site for its visitors; ending a maintenance cannot. */
const needsConfirmation = ({ action }: Repair) => action !== 'end_maintenance';

/** Keeps the error of a repair that was refused, and whether its confirmation is open. */
function useRepair(repair: Repair, apply: Props['apply']) {
  const [isConfirming, setConfirming] = useState(false);
  const [call, setCall] = useState<CallState>({ isLoading: false });
  const send = async () => {
    setCall({ isLoading: true });
    const error = await apply(repair);
    setCall({ isLoading: false, error });
    if (error === undefined) setConfirming(false);
  };
  return { isConfirming, setConfirming, call, send };
}

/** Shows a repair with its effect and the command that it runs. */
export function ProposalCard({ proposal, isBusy, apply, children }: Props) {
  const { repair, title, effect, command, refusal } = proposal;
  const { isConfirming, setConfirming, call, send } = useRepair(repair, apply);
  const heading = useId();
  return (
    <Stack component="section" aria-labelledby={heading} gap={12} p="12px 16px" bd="1px solid var(--border)" bdrs="md">
      <Text component="h4" id={heading} fw={600}>
        {title}
      </Text>
      {children}
      <Text variant="note">{effect}</Text>
      {command !== '' && <CopyLine label="Commande" text={command} />}
      {refusal === null ? (
        <Button
          variant="default"
          w="fit-content"
          disabled={isBusy}
          loading={call.isLoading && !isConfirming}
          onClick={() => (needsConfirmation(repair) ? setConfirming(true) : void send())}
        >
          {needsConfirmation(repair) ? `${title}…` : title}
        </Button>
      ) : (
        <Callout tone="warn">
          <p>{refusal}</p>
        </Callout>
      )}
      {!isConfirming && <Failure sentence={sentenceOf(call.error)} />}
      {isConfirming && (
        <ConfirmRepair
          proposal={proposal}
          call={call}
          onConfirm={() => void send()}
          onCancel={() => setConfirming(false)}
        />
      )}
    </Stack>
  );
}

type ConfirmRepairProps = { proposal: Proposal; call: CallState; onConfirm: () => void; onCancel: () => void };

function ConfirmRepair({ proposal: { repair, title, effect }, call, onConfirm, onCancel }: ConfirmRepairProps) {
  return (
    <ConfirmDialog
      title={`${title}\u202f?`}
      action={repair.action === 'set_aside' ? 'Mettre de côté' : 'Remettre'}
      call={call}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{effect}</p>
      <p>Rien n’est supprimé. Vigie examine le site de nouveau aussitôt après.</p>
    </ConfirmDialog>
  );
}
