import { restoreWord } from '@vigie/contracts/restores';
import { useState } from 'react';
import { useSite } from '../../app/sites';
import facts from '../../ui/About.module.css';
import { Callout } from '../../ui/Callout';
import { FormDialog } from '../../ui/FormDialog';
import { When } from '../../ui/When';
import { ConfirmWordForm } from '../../ui/ConfirmWordForm';
import styles from './Restore.module.css';
import { RestoreChoices } from './RestoreChoices';
import { archivesApi, backupsApi } from './backups.api';
import { accountsChange, isSameSite, otherSite, stepsOf } from './restore-words';
import { type Archive, changesAccounts, type Restoring } from './restoring';
import { useRestore } from './useRestore';
import { spellMo, verifiedHint, verifiedWord } from './words';

type Props = {
  site: string;
  restoring: Restoring;
  onBegun: (job: string) => void;
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
        <When at={createdAt} /> · {spellMo(size)} · {location === 'Local' ? 'gardée par Vigie' : 'sur l’hôte du site'}
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
          <When at={verified.at} />
        </dd>
      ) : (
        <dd>Pas encore vérifiée</dd>
      )}
    </dl>
  );
}

/** The address of the site that an archive was made on. Only an archive in Vigie, or with a copy there, can be read. */
function useOrigin(site: string, { filename, size, location }: Archive): string | undefined {
  const { currentData: known } = backupsApi.useBackupsQuery(site);
  const isHere =
    location === 'Local' ||
    known?.some((one) => one.location === 'Local' && one.filename === filename && one.size === size) === true;
  const wanted = { site, filename, path: '', q: '', offset: 0 };
  const { currentData: listing } = archivesApi.useArchiveQuery(wanted, { skip: !isHere });
  return listing?.about.site_url ?? undefined;
}

const Steps = ({ isLocal }: { isLocal: boolean }) => (
  <section>
    <h3 className={styles['heading']}>Ce qui va se passer</h3>
    <ol className={styles['steps']}>
      {stepsOf({ isLocal }).map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </section>
);

/** Asks before a restore: what the archive holds, what the site loses, and how to undo it. */
export function RestoreDialog({ site, restoring, onBegun, onClose }: Props) {
  const { archive } = restoring;
  const { currentData: known } = useSite(site);
  const origin = useOrigin(site, archive);
  const { restore, failure, isSending } = useRestore(site);
  const [wanted, setWanted] = useState(restoring.wanted);
  const confirm = async (): Promise<void> => {
    const job = await restore(archive, wanted);
    if (job === undefined) return;
    onBegun(job);
    onClose();
    // The progress and the result are shown there.
    document.querySelector('#backups')?.scrollIntoView();
  };
  return (
    <FormDialog title={`Restaurer ${known?.name ?? 'ce site'}\u202f?`} onClose={onClose}>
      <ConfirmWordForm
        word={restoreWord}
        action="Restaurer"
        isBusy={isSending}
        failure={failure}
        onConfirm={() => void confirm()}
        onCancel={onClose}
      >
        <About archive={archive} origin={origin} />
        {origin !== undefined && known !== undefined && !isSameSite(origin, known.url) && (
          <Callout tone="warn">
            <p>{otherSite(origin, known.url)}</p>
          </Callout>
        )}
        <RestoreChoices restoring={restoring} wanted={wanted} onChange={setWanted} />
        {changesAccounts(wanted) && (
          <Callout tone="warn">
            <p>{accountsChange}</p>
          </Callout>
        )}
        <Steps isLocal={archive.location === 'Local'} />
      </ConfirmWordForm>
    </FormDialog>
  );
}
