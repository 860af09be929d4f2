import { Button } from '@mantine/core';
import type { Proposal, Repair } from '@vigie/contracts/site-repairs';
import { type ReactNode, useId, useState } from 'react';
import { Callout } from '../../ui/Callout';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { CopyLine } from '../../ui/CopyLine';
import { Failure } from '../../ui/Failure';
import styles from './RepairsPanel.module.css';

type Props = {
  proposal: Proposal;
  isBusy: boolean;
  /** Resolves to why the repair was refused. */
  apply: (repair: Repair) => Promise<string | undefined>;
  children?: ReactNode;
};

/** Moving code away can break the site for its visitors; ending a maintenance cannot. */
const needsConfirmation = ({ action }: Repair) => action !== 'end_maintenance';

/** Shows a repair with its effect and the command that it runs. */
export function ProposalCard({ proposal, isBusy, apply, children }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const heading = useId();
  const { repair, title, effect, command, refusal } = proposal;
  const send = async () => {
    setSending(true);
    setFailure(undefined);
    const repairFailure = await apply(repair);
    setSending(false);
    setFailure(repairFailure);
    if (repairFailure === undefined) setConfirming(false);
  };
  return (
    <section aria-labelledby={heading} className={styles['proposal']}>
      <h4 id={heading}>{title}</h4>
      {children}
      <p className={styles['about']}>{effect}</p>
      <CopyLine label="Commande" text={command} />
      {refusal === null ? (
        <Button
          variant="default"
          className={styles['apply'] ?? ''}
          disabled={isBusy}
          loading={isSending && !isConfirming}
          onClick={() => (needsConfirmation(repair) ? setConfirming(true) : void send())}
        >
          {needsConfirmation(repair) ? `${title}…` : title}
        </Button>
      ) : (
        <Callout tone="warn">
          <p>{refusal}</p>
        </Callout>
      )}
      {!isConfirming && failure !== undefined && <Failure sentence={failure} />}
      {isConfirming && (
        <ConfirmDialog
          title={`${title}\u202f?`}
          action={repair.action === 'set_aside' ? 'Mettre de côté' : 'Remettre'}
          isBusy={isSending}
          failure={failure}
          onConfirm={() => void send()}
          onCancel={() => setConfirming(false)}
        >
          <p>{effect}</p>
          <p>Rien n’est supprimé. Vigie examine le site de nouveau aussitôt après.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
