import { Button } from '@mantine/core';
import type { Proposal, Repair } from '@vigie/contracts/site-repairs';
import { type ReactNode, useId, useState } from 'react';
import { Callout } from '../../ui/Callout';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { CopyLine } from '../../ui/CopyLine';
import { Failure } from '../../ui/Failure';
import styles from './RepairsPanel.module.css';

type Props = {
  proposal: Proposal;
  isBusy: boolean;
  /** Gives why it was refused. */
  apply: (repair: Repair) => Promise<string | undefined>;
  children?: ReactNode;
};

/** What closes or breaks a site for its visitors is asked once more. */
const isAsked = ({ action }: Repair) => action !== 'end_maintenance';

/** One thing that can be done, what follows from it, and what would be run. */
export function ProposalCard({ proposal, isBusy, apply, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const heading = useId();
  const { repair, title, effect, command, refusal } = proposal;
  const send = async () => {
    setSending(true);
    setFailure(undefined);
    const refused = await apply(repair);
    setSending(false);
    setFailure(refused);
    if (refused === undefined) setAsking(false);
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
          loading={isSending && !isAsking}
          onClick={() => (isAsked(repair) ? setAsking(true) : void send())}
        >
          {isAsked(repair) ? `${title}…` : title}
        </Button>
      ) : (
        <Callout tone="warn">
          <p>{refusal}</p>
        </Callout>
      )}
      {!isAsking && failure !== undefined && <Failure sentence={failure} />}
      {isAsking && (
        <ConfirmDialog
          title={`${title}\u202f?`}
          action={repair.action === 'set_aside' ? 'Mettre de côté' : 'Remettre'}
          isBusy={isSending}
          failure={failure}
          onConfirm={() => void send()}
          onCancel={() => setAsking(false)}
        >
          <p>{effect}</p>
          <p>Rien n’est supprimé. Vigie examine le site de nouveau aussitôt après.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
