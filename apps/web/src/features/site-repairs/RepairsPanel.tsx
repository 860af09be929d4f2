import { Button } from '@mantine/core';
import type { SiteRepairs } from '@vigie/contracts/site-repairs';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { SidePanel } from '../../ui/SidePanel';
import { When } from '../../ui/When';
import { Findings } from './Findings';
import { ProposalCard } from './ProposalCard';
import styles from './RepairsPanel.module.css';
import { useRepairs } from './useRepairs';
import { verdictOf } from './words';

type Repairs = ReturnType<typeof useRepairs>;

function Running({ repairs: { job, cancel, cancelRefusal } }: { repairs: Repairs }) {
  const isRepair = job?.kind === 'site-repairs.apply';
  const said = job?.is_cancelling
    ? 'Annulation en cours…'
    : job?.state === 'queued'
      ? 'En file…'
      : isRepair
        ? 'Vigie répare le site, puis l’examine de nouveau…'
        : 'Vigie examine le site, sans rien y changer…';
  return (
    <div className={styles['running']}>
      <output>{said}</output>
      {job?.progress && <JobProgress progress={job.progress} />}
      {job && (
        <Button variant="default" disabled={job.is_cancelling} onClick={cancel}>
          Annuler
        </Button>
      )}
      <Failure sentence={cancelRefusal} />
    </div>
  );
}

type Look = NonNullable<SiteRepairs['look']>;
type PartProps = { look: Look; repairs: Repairs };

function Proposals({ look, repairs: { isSending, apply } }: PartProps) {
  return (
    <section aria-label="Ce que Vigie propose" className={styles['section']}>
      <h3>Ce que Vigie propose</h3>
      {look.proposals.length === 0 && (
        <p className={styles['about']}>
          {look.boot.starts
            ? 'Rien à faire.'
            : 'Rien que Vigie sache faire sans risque. Le message ci-dessus dit où regarder, dans la console du serveur.'}
        </p>
      )}
      {look.proposals.map((proposal) => (
        <ProposalCard key={proposal.command} proposal={proposal} isBusy={isSending} apply={apply} />
      ))}
    </section>
  );
}

function Asides({ look, repairs: { isSending, apply } }: PartProps) {
  if (look.aside.length === 0) return null;
  return (
    <section aria-label="Mis de côté" className={styles['section']}>
      <h3>Mis de côté</h3>
      <p className={styles['about']}>
        {'Rien n’y est jamais supprimé par Vigie\u00a0: '}
        <code>{look.aside_folder}</code>
      </p>
      {look.aside.map((proposal) => (
        <ProposalCard key={proposal.command} proposal={proposal} isBusy={isSending} apply={apply}>
          {proposal.made_at !== null && (
            <p className={styles['about']}>
              {'Mis de côté '}
              <When at={proposal.made_at} />
            </p>
          )}
        </ProposalCard>
      ))}
    </section>
  );
}

function Outcome({ found: { look, done }, repairs }: { found: SiteRepairs; repairs: Repairs }) {
  const verdict = look && verdictOf(look);
  return (
    <>
      {done && (
        <Callout tone="info">
          <p>{done.sentence}</p>
        </Callout>
      )}
      {verdict && (
        <Callout tone={verdict.tone}>
          <output>{verdict.text}</output>
        </Callout>
      )}
      {look && (
        <>
          <section aria-label="Constats" className={styles['section']}>
            <h3>
              {'Constats, '}
              <When at={look.at} />
            </h3>
            <Findings look={look} />
            {look.notes.map((note) => (
              <Callout key={note} tone="warn">
                <p>{note}</p>
              </Callout>
            ))}
          </section>
          <Proposals look={look} repairs={repairs} />
          <Asides look={look} repairs={repairs} />
        </>
      )}
    </>
  );
}

type Props = {
  id: string;
  /** The job that is shown. */
  job: string | undefined;
  onFollow: (job: string) => void;
  onClose: () => void;
};

/** Why a site does not work, and what takes it out of that, with each command. */
export function RepairsPanel({ id, job, onFollow, onClose }: Props) {
  const repairs = useRepairs(id, job, onFollow);
  const { found, failure, remedy, isRunning, isSending, examine } = repairs;
  return (
    <SidePanel
      title={'Site cassé\u202f?'}
      onClose={onClose}
      foot={
        <Button variant="default" disabled={isRunning || isSending} onClick={examine}>
          Examiner de nouveau
        </Button>
      }
    >
      <div className={styles['panel']}>
        {isRunning && <Running repairs={repairs} />}
        {!isRunning && failure !== undefined && (
          <Failure sentence={failure}>{remedy !== undefined && <p>{remedy}</p>}</Failure>
        )}
        {!isRunning && found && <Outcome found={found} repairs={repairs} />}
      </div>
    </SidePanel>
  );
}
