import { Button, Stack, Text } from '@mantine/core';
import type { SiteRepairs } from '@vigie/contracts/site-repairs';
import type { ReactNode } from 'react';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { TimeAgo } from '../../ui/TimeAgo';
import { Findings, ProposalCard } from './Findings';
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
    <Stack align="flex-start" gap={12}>
      <output>{progressText}</output>
      {job?.progress && <JobProgress progress={job.progress} />}
      {job && (
        <Button variant="default" disabled={job.is_cancelling} onClick={cancel}>
          Annuler
        </Button>
      )}
      <Failure sentence={cancelRefusal} />
    </Stack>
  );
}

type PartProps = { label: string; title?: ReactNode; children: ReactNode };

const Section = ({ label, title = label, children }: PartProps) => (
  <Stack component="section" aria-label={label} gap={12}>
    <Text component="h3" fw={600}>
      {title}
    </Text>
    {children}
  </Stack>
);

type Check = NonNullable<SiteRepairs['look']>;
type SectionProps = { check: Check; repairs: Repairs };

function Proposals({ check, repairs: { isSending, apply } }: SectionProps) {
  return (
    <Section label="Ce que Vigie propose">
      {check.proposals.length === 0 && (
        <Text variant="note">
          {check.boot.starts
            ? 'Rien à faire.'
            : 'Vigie ne peut rien réparer ici sans risque. Le message ci-dessus dit où regarder, depuis la console du serveur.'}
        </Text>
      )}
      {check.proposals.map((proposal) => (
        <ProposalCard key={JSON.stringify(proposal.repair)} proposal={proposal} isBusy={isSending} apply={apply} />
      ))}
    </Section>
  );
}

function Quarantined({ check, repairs: { isSending, apply } }: SectionProps) {
  if (check.aside.length === 0) return null;
  return (
    <Section label="Mis de côté">
      <Text variant="note">
        Vigie n’y supprime jamais rien
        {check.aside_folder === null ? (
          '.'
        ) : (
          <>
            {'\u00a0: '}
            <code>{check.aside_folder}</code>
          </>
        )}
      </Text>
      {check.aside.map((proposal) => (
        <ProposalCard key={JSON.stringify(proposal.repair)} proposal={proposal} isBusy={isSending} apply={apply}>
          {proposal.made_at !== null && (
            <Text variant="note">
              {'Mis de côté '}
              <TimeAgo at={proposal.made_at} />
            </Text>
          )}
        </ProposalCard>
      ))}
    </Section>
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
          <Section
            label="Constats"
            title={
              <>
                {'Constats, '}
                <TimeAgo at={check.at} />
              </>
            }
          >
            <Findings check={check} />
            {check.notes.map((note) => (
              <Callout key={note} tone="warn">
                <p>{note}</p>
              </Callout>
            ))}
          </Section>
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
      <Stack gap={20} p={{ base: 16, sm: '20px 24px' }}>
        {isRunning && <Running repairs={repairs} />}
        {!isRunning && failure !== undefined && (
          <Failure sentence={failure}>{remedy !== undefined && <p>{remedy}</p>}</Failure>
        )}
        {!isRunning && result && <Outcome result={result} repairs={repairs} />}
      </Stack>
    </SidePanel>
  );
}
