import { Button } from '@mantine/core';
import type { SiteRepairs } from '@vigie/contracts/site-repairs';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { TimeAgo } from '../../ui/TimeAgo';
import { Findings } from './Findings';
import { ProposalCard } from './ProposalCard';
import styles from './RepairsPanel.module.css';
import { useRepairs } from './useRepairs';
import { verdictOf } from './words';

type Repairs = ReturnType<typeof useRepairs>;

function Running({ repairs: { job, cancel, cancelRefusal } }: { repairs: Repairs }) {
  const isRepair = job?.kind === 'site-repairs.apply';
  const progressText = job?.is_cancelling
    ? 'Annulation en cours…'
    : job?.state === 'queued'
      ? 'En file…'
      : isRepair
        ? 'Vigie répare le site, puis l’examine de nouveau…'
        : 'Vigie examine le site, sans rien y changer…';
  return (
    <div className={styles['running']}>
      <output>{progressText}</output>
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

type Check = NonNullable<SiteRepairs['look']>;
type SectionProps = { check: Check; repairs: Repairs };

function Proposals({ check, repairs: { isSending, apply } }: SectionProps) {
  return (
    <section aria-label="Ce que Vigie propose" className={styles['section']}>
      <h3>Ce que Vigie propose</h3>
      {check.proposals.length === 0 && (
        <p className={styles['about']}>
          {check.boot.starts
            ? 'Rien à faire.'
            : 'Vigie ne peut rien réparer ici sans risque. Le message ci-dessus dit où regarder, depuis la console du serveur.'}
        </p>
      )}
      {check.proposals.map((proposal) => (
        <ProposalCard key={proposal.command} proposal={proposal} isBusy={isSending} apply={apply} />
      ))}
    </section>
  );
}

function Quarantined({ check, repairs: { isSending, apply } }: SectionProps) {
  if (check.aside.length === 0) return null;
  return (
    <section aria-label="Mis de côté" className={styles['section']}>
      <h3>Mis de côté</h3>
      <p className={styles['about']}>
        {'Vigie n’y supprime jamais rien\u00a0: '}
        <code>{check.aside_folder}</code>
      </p>
      {check.aside.map((proposal) => (
        <ProposalCard key={proposal.command} proposal={proposal} isBusy={isSending} apply={apply}>
          {proposal.made_at !== null && (
            <p className={styles['about']}>
              {'Mis de côté '}
              <TimeAgo at={proposal.made_at} />
            </p>
          )}
        </ProposalCard>
      ))}
    </section>
  );
}

function Outcome({ result: { look: check, done }, repairs }: { result: SiteRepairs; repairs: Repairs }) {
  const verdict = check && verdictOf(check);
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
      {check && (
        <>
          <section aria-label="Constats" className={styles['section']}>
            <h3>
              {'Constats, '}
              <TimeAgo at={check.at} />
            </h3>
            <Findings check={check} />
            {check.notes.map((note) => (
              <Callout key={note} tone="warn">
                <p>{note}</p>
              </Callout>
            ))}
          </section>
          <Proposals check={check} repairs={repairs} />
          <Quarantined check={check} repairs={repairs} />
        </>
      )}
    </>
  );
}

type Props = {
  siteId: string;
  /** The job of the check or repair; undefined starts a check. */
  jobId: string | undefined;
  onFollow: (jobId: string) => void;
  onClose: () => void;
};

/** Finds out why a site does not work, and proposes repairs. */
export function RepairsPanel({ siteId, jobId, onFollow, onClose }: Props) {
  const repairs = useRepairs(siteId, jobId, onFollow);
  const { result, failure, remedy, isRunning, isSending, examine } = repairs;
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
        {!isRunning && result && <Outcome result={result} repairs={repairs} />}
      </div>
    </SidePanel>
  );
}
