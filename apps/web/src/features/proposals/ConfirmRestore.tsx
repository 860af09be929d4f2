import type { OrderProposal } from '@vigie/contracts/proposals';
import { restoreWord } from '@vigie/contracts/restores';
import { ConfirmWordForm } from '../../kit/dialog/ConfirmWordForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import type { CallState } from '../../kit/query/failures';
import { accountsWarning, modeHint, modeNames, scopeNames } from '../../kit/words/restores';
import facts from '../../ui/About.module.css';
import { Callout } from '../../ui/Callout';
import { TimeAgo } from '../../ui/TimeAgo';

type Props = { proposal: OrderProposal; call: CallState; onConfirm: () => void; onClose: () => void };

function About({ plan: [line], restore }: OrderProposal) {
  const scope = restore?.scope;
  return (
    <dl className={facts['about']}>
      <dt>Archive</dt>
      <dd className={facts['file']}>{line?.name}</dd>
      {typeof line?.made_at === 'string' && (
        <>
          <dt>Faite</dt>
          <dd>
            <TimeAgo at={line.made_at} />
          </dd>
        </>
      )}
      {restore && scope !== 'path' && scope !== 'table' && (
        <>
          <dt>Restaure</dt>
          <dd>{scopeNames[scope ?? 'all']}</dd>
          <dt>Façon</dt>
          <dd>{`${modeNames[restore.mode]}. ${modeHint(restore.mode, restore.scope)}`}</dd>
        </>
      )}
    </dl>
  );
}

/** A restore is confirmed as everywhere: by typing its word. */
export function ConfirmRestore({ proposal, call, onConfirm, onClose }: Props) {
  const { plan, restore } = proposal;
  const [line] = plan;
  const warnings = [
    ...(line?.warnings ?? []),
    ...(restore?.scope === 'all' || restore?.scope === 'database' ? [accountsWarning] : []),
  ];
  return (
    <FormDialog title={`Restaurer ${line?.site_name ?? 'ce site'}\u202f?`} onClose={onClose}>
      <ConfirmWordForm word={restoreWord} action="Restaurer" call={call} onConfirm={onConfirm} onCancel={onClose}>
        <About {...proposal} />
        {warnings.map((text) => (
          <Callout key={text} tone="warn">
            <p>{text}</p>
          </Callout>
        ))}
        <p>Vigie sauvegarde d’abord le site tel qu’il est.</p>
      </ConfirmWordForm>
    </FormDialog>
  );
}
