import { Stack, Text } from '@mantine/core';
import { restoreWord } from '@vigie/contracts/restores';
import { useState } from 'react';
import { useSite } from '../../kit/fleet/sites';
import { accountsWarning } from '../../kit/words/restores';
import facts from '../../ui/About.module.css';
import { Callout } from '../../ui/Callout';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { TimeAgo } from '../../ui/TimeAgo';
import { ConfirmWordForm } from '../../kit/dialog/ConfirmWordForm';
import { RestoreChoices } from './RestoreChoices';
import { archivesApi, backupCommandsApi, backupsApi, listingOf } from './backups.api';
import { isSameSite, otherSiteWarning, restoreSteps } from './restore-words';
import { type Archive, changesAccounts, type RestoreRequest } from './restore-request';
import { formatMegabytes, locationParams, verifiedHint, verifiedWord } from './words';

type Props = {
  siteId: string;
  request: RestoreRequest;
  onStarted: (jobId: string) => void;
  onClose: () => void;
};

type AboutProps = { archive: Archive; origin: string | undefined };

function About({ archive: { filename, size, createdAt, location, verified }, origin }: AboutProps) {
  return (
    <dl className={facts['about']}>
      <dt>Archive</dt>
      <dd className={facts['file']}>{filename}</dd>
      <dt>Faite</dt>
      <dd>
        <TimeAgo at={createdAt} /> · {formatMegabytes(size)} ·{' '}
        {location === 'Local' ? 'gardée par Vigie' : 'sur l’hôte du site'}
      </dd>
      {origin !== undefined && (
        <>
          <dt>Site</dt>
          <dd>{origin}</dd>
        </>
      )}
      <dt>Contrôle</dt>
      {verified ? (
        <dd title={verifiedHint(verified)}>
          {`${verifiedWord(verified)} `}
          <TimeAgo at={verified.at} />
        </dd>
      ) : (
        <dd>Pas encore vérifiée</dd>
      )}
    </dl>
  );
}

/** The address of the site that an archive was made on. Only an archive in Vigie, or with a copy there, can be read. */
function useOrigin(siteId: string, { filename, size, location }: Archive): string | undefined {
  const { currentData: loadedSite } = backupsApi.useBackupsQuery({ id: siteId });
  const isInVigie =
    location === 'Local' ||
    loadedSite?.some(
      (backup) => backup.location === 'Local' && backup.filename === filename && backup.size === size,
    ) === true;
  const options = listingOf({ id: siteId, filename });
  const { currentData: listing } = archivesApi.useArchiveQuery(options, { skip: !isInVigie });
  return listing?.about.site_url ?? undefined;
}

const Steps = ({ isLocal }: { isLocal: boolean }) => (
  <section>
    <Text component="h3" fw={500} pb={4}>
      Ce qui va se passer
    </Text>
    <Stack component="ol" gap={4} pl={20} c="muted" fz={13} lh="18px" style={{ listStyle: 'decimal' }}>
      {restoreSteps({ isLocal }).map((step) => (
        <li key={step}>{step}</li>
      ))}
    </Stack>
  </section>
);

const Warning = ({ children }: { children: string }) => (
  <Callout tone="warn">
    <p>{children}</p>
  </Callout>
);

/** Asks before a restore: what the archive holds, what the site loses, and how to undo it. */
export function RestoreDialog({ siteId, request, onStarted, onClose }: Props) {
  const { archive } = request;
  const { currentData: loadedSite } = useSite(siteId);
  const origin = useOrigin(siteId, archive);
  const [restore, call] = backupCommandsApi.useRestoreBackupMutation();
  const [options, setOptions] = useState(request.options);
  const confirm = async (): Promise<void> => {
    const { filename, location } = archive;
    const target = { id: siteId, filename, location: locationParams[location] };
    const { data } = await restore({ ...target, confirm: restoreWord, ...options });
    if (!data) return;
    onStarted(data.job_id);
    onClose();
    // The progress and the result are shown there.
    document.querySelector('#backups')?.scrollIntoView();
  };
  return (
    <FormDialog title={`Restaurer ${loadedSite?.name ?? 'ce site'}\u202f?`} onClose={onClose}>
      <ConfirmWordForm
        word={restoreWord}
        action="Restaurer"
        call={call}
        onConfirm={() => void confirm()}
        onCancel={onClose}
      >
        <About archive={archive} origin={origin} />
        {origin !== undefined && loadedSite !== undefined && !isSameSite(origin, loadedSite.url) && (
          <Warning>{otherSiteWarning(origin, loadedSite.url)}</Warning>
        )}
        <RestoreChoices request={request} options={options} onChange={setOptions} />
        {changesAccounts(options) && <Warning>{accountsWarning}</Warning>}
        <Steps isLocal={archive.location === 'Local'} />
      </ConfirmWordForm>
    </FormDialog>
  );
}
