import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { restoreWord } from '@vigie/contracts/restores';
import { type FormEvent, useState } from 'react';
import { useSite } from '../../app/sites';
import { Callout } from '../../ui/Callout';
import dialog from '../../ui/DialogForm.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import { When } from '../../ui/When';
import styles from './Restore.module.css';
import { RestoreChoices } from './RestoreChoices';
import { accountsChange, stepsOf } from './restore-words';
import { type Archive, changesAccounts, type Restoring, wordFault } from './restoring';
import { useRestore } from './useRestore';
import { spellMo, verifiedHint, verifiedWord } from './words';

type Props = {
  site: string;
  restoring: Restoring;
  onBegun: (job: string) => void;
  onClose: () => void;
};

function About({ archive: { filename, size, createdAt, location, verified } }: { archive: Archive }) {
  return (
    <dl className={styles['about']}>
      <dt>Archive</dt>
      <dd className={styles['file']}>{filename}</dd>
      <dt>Faite</dt>
      <dd>
        <When at={createdAt} /> · {spellMo(size)} · {location === 'Local' ? 'gardée par Vigie' : 'sur l’hôte du site'}
      </dd>
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

const WordField = ({ value, onChange }: { value: string; onChange: (word: string) => void }) => (
  <TextInput
    label={`Tapez ${restoreWord} pour confirmer`}
    className={styles['word'] ?? ''}
    autoComplete="off"
    autoCapitalize="characters"
    autoCorrect="off"
    spellCheck={false}
    value={value}
    error={wordFault(value)}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** Asked before a site becomes what an archive holds: what that is, what goes with it, and the way back. */
export function RestoreDialog({ site, restoring, onBegun, onClose }: Props) {
  const { archive } = restoring;
  const { currentData: known } = useSite(site);
  const { restore, failure, isSending } = useRestore(site);
  const [wanted, setWanted] = useState(restoring.wanted);
  const [word, setWord] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (word !== restoreWord || isSending) return;
    const job = await restore(archive, wanted);
    if (job === undefined) return;
    onBegun(job);
    onClose();
    // What becomes of it is told there.
    document.querySelector('#backups')?.scrollIntoView();
  };
  return (
    <FormDialog title={`Restaurer ${known?.name ?? 'ce site'}\u202f?`} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className={dialog['content']}>
          <About archive={archive} />
          <RestoreChoices restoring={restoring} wanted={wanted} onChange={setWanted} />
          {changesAccounts(wanted) && (
            <Callout tone="warn">
              <p>{accountsChange}</p>
            </Callout>
          )}
          <Steps isLocal={archive.location === 'Local'} />
        </div>
        <div className={dialog['foot']}>
          <Failure sentence={failure} />
          <div className={styles['answer']}>
            <WordField value={word} onChange={setWord} />
            <div className={styles['actions']}>
              <Button variant="default" data-autofocus onClick={onClose}>
                Annuler
              </Button>
              <Button type="submit" color="danger" disabled={word !== restoreWord} loading={isSending}>
                Restaurer
              </Button>
            </div>
          </div>
        </div>
      </form>
    </FormDialog>
  );
}
