import { Button, Stack, Text } from '@mantine/core';
import type { Proposal, Repair } from '@vigie/contracts/site-repairs';
import { type ReactNode, useId, useState } from 'react';
import { Callout } from '../../ui/Callout';
import { type CallState, sentenceOf } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { CopyLine } from '../../ui/CopyLine';
import { Failure } from '../../ui/Failure';

type Props = {
  proposal: Proposal;
  isBusy: boolean;
  /** Resolves to the error when the repair was refused. */
  apply: (repair: Repair) => Promise<unknown>;
  children?: ReactNode;
};

/** Moving code away can break the site for its visitors; ending a maintenance cannot. */
const needsConfirmation = ({ action }: Repair) => action !== 'end_maintenance';

/** Shows a repair with its effect and the command that it runs. */
export function ProposalCard({ proposal, isBusy, apply, children }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const [call, setCall] = useState<CallState>({ isLoading: false });
  const heading = useId();
  const { repair, title, effect, command, refusal } = proposal;
  const send = async () => {
    setCall({ isLoading: true });
    const error = await apply(repair);
    setCall({ isLoading: false, error });
    if (error === undefined) setConfirming(false);
  };
  return (
    <Stack component="section" aria-labelledby={heading} gap={12} p="12px 16px" bd="1px solid var(--border)" bdrs="md">
      <Text component="h4" id={heading} fw={600}>
        {title}
      </Text>
      {children}
      <Text variant="note">{effect}</Text>
      <CopyLine label="Commande" text={command} />
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
        <ConfirmDialog
          title={`${title}\u202f?`}
          action={repair.action === 'set_aside' ? 'Mettre de côté' : 'Remettre'}
          call={call}
          onConfirm={() => void send()}
          onCancel={() => setConfirming(false)}
        >
          <p>{effect}</p>
          <p>Rien n’est supprimé. Vigie examine le site de nouveau aussitôt après.</p>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
