import { Button, Text } from '@mantine/core';
import { useServer } from '../../kit/fleet/servers';
import dialog from '../../kit/dialog/dialog.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { JobProgress } from '../../ui/JobProgress';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { DiscoveredSites } from './DiscoveredSites';
import { useDraft } from './useDraft';
import { isFinal, type Job } from '@vigie/contracts/jobs';
import { Discovery } from '@vigie/contracts/site-discovery';
import { useEffect, useEffectEvent, useRef } from 'react';
import { failureReason } from '../../kit/query/failures';
import { useCancel, useJob } from '../../kit/job/useJobs';
import { discoveryApi, searchFailed } from './site-discovery.api';

/** Why a finished search has no result. */
function failureOf({ state, error }: Job): string | undefined {
  if (!isFinal(state)) return undefined;
  return state === 'cancelled' ? 'La recherche a été annulée.' : (error?.message ?? searchFailed);
}

/** Runs the search as a job, whose id is in the address. Without a job id, it starts one. */
function useDiscovery(serverId: string, jobId: string | undefined, follow: (jobId: string) => void) {
  const [discover, { error: refusal, isLoading }] = discoveryApi.useDiscoverSitesMutation();
  const { currentData: job, error } = useJob(jobId);
  const { cancel, cancelRefusal } = useCancel(job?.id);
  const search = async (folder: string): Promise<void> => {
    const answer = await discover({ id: serverId, folder });
    if (answer.data) follow(answer.data.job_id);
  };
  const startSearch = useEffectEvent(() => void search(''));
  const hasStarted = useRef(false);
  useEffect(() => {
    if (jobId !== undefined || hasStarted.current) return;
    hasStarted.current = true;
    startSearch();
  }, [jobId]);
  const discovered = job?.state === 'succeeded' ? Discovery.safeParse(job.result).data : undefined;
  const failure = refusal ?? (job ? undefined : error);
  return {
    job,
    discovered,
    failure: isLoading
      ? undefined
      : failure
        ? failureReason(failure, searchFailed)
        : job && !discovered
          ? failureOf(job)
          : undefined,
    remedy: job?.error?.remedy,
    /** Searches the usual folders, and one more. */
    searchAgain: (folder = '') => void search(folder),
    cancel,
    cancelRefusal,
  };
}

type Props = {
  serverId: string;
  /** The job of the search; undefined starts one. */
  jobId: string | undefined;
  onFollow: (jobId: string) => void;
  onClose: () => void;
};

function Searching({ discovery: { job, cancel, cancelRefusal } }: { discovery: ReturnType<typeof useDiscovery> }) {
  return (
    <div className={dialog['content']}>
      <output>
        {job?.is_cancelling
          ? 'Annulation en cours…'
          : job?.state === 'queued'
            ? 'Recherche en file…'
            : 'Vigie cherche les sites WordPress de ce serveur…'}
      </output>
      {job?.progress && <JobProgress progress={job.progress} />}
      <Text variant="note">La recherche continue si vous fermez cette fenêtre. Rien n’est modifié sur le serveur.</Text>
      {job && (
        <div>
          <Button variant="default" disabled={job.is_cancelling} onClick={cancel}>
            Annuler la recherche
          </Button>
        </div>
      )}
      <Failure sentence={cancelRefusal} />
    </div>
  );
}

/** Finds the WordPress sites of a server, and imports the chosen ones. */
export function DiscoveryDialog({ serverId, jobId, onFollow, onClose }: Props) {
  const { data } = useServer(serverId);
  const discovery = useDiscovery(serverId, jobId, onFollow);
  const draft = useDraft(serverId);
  const { discovered, failure, remedy, searchAgain } = discovery;
  return (
    <>
      <FormDialog title={data ? `Sites de ${data.name}` : 'Sites du serveur'} isWide onClose={onClose}>
        {discovered ? (
          <DiscoveredSites
            key={jobId}
            serverId={serverId}
            discovery={discovered}
            draft={draft}
            onSearchAgain={searchAgain}
            onClose={onClose}
          />
        ) : failure === undefined ? (
          <Searching discovery={discovery} />
        ) : (
          <div className={dialog['content']}>
            <Failure sentence={failure}>{remedy !== undefined && <p>{remedy}</p>}</Failure>
            <div>
              <Button onClick={() => searchAgain()}>Chercher de nouveau</Button>
            </div>
          </div>
        )}
      </FormDialog>
      <LeaveGuard isDirty={draft.isDirty} isClosedBy={(search) => search['discover'] === undefined} />
    </>
  );
}
