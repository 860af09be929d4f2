import { Button, Text } from '@mantine/core';
import { useServer } from '../../kit/fleet/servers';
import dialog from '../../kit/dialog/dialog.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { JobProgress } from '../../ui/JobProgress';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { DiscoveredSites } from './DiscoveredSites';
import { useDiscovery } from './useDiscovery';
import { useDraft } from './useDraft';

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
      <LeaveGuard isDirty={draft.isDirty} isClosedBy={(search) => search['discover'] !== serverId} />
    </>
  );
}
