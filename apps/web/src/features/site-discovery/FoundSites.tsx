import { Button } from '@mantine/core';
import type { Discovery } from '@vigie/contracts/site-discovery';
import { FolderSearch } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { GroupsField } from '../../app/GroupsField';
import { useServer } from '../../app/servers';
import dialog from '../../ui/DialogForm.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { Tick } from '../../ui/Tick';
import { isFaulty } from './choices';
import styles from './DiscoveryDialog.module.css';
import { Elsewhere } from './Elsewhere';
import { FoundLine } from './FoundLine';
import { Outcome } from './Outcome';
import { type Draft, useChoices } from './useDraft';
import { useImport } from './useImport';

type Props = {
  server: string;
  discovery: Discovery;
  draft: Draft;
  onAgain: (folder?: string) => void;
  onClose: () => void;
};

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details className={styles['notes']}>
      <summary>{plural(notes.length, 'remarque de la recherche', 'remarques de la recherche')}</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

function Nothing({ discovery, onAgain }: Pick<Props, 'discovery' | 'onAgain'>) {
  return (
    <>
      <EmptyState
        icon={FolderSearch}
        title="Aucun site WordPress n’a été trouvé."
        actions={
          <Button variant="default" onClick={() => onAgain()}>
            Chercher de nouveau
          </Button>
        }
      >
        <p>Vigie cherche là où son utilisateur SSH peut lire. Vous pouvez aussi ajouter un site par son chemin.</p>
      </EmptyState>
      <div className={dialog['content']}>
        <Notes notes={discovery.notes} />
        <Elsewhere onSearch={onAgain} />
      </div>
    </>
  );
}

type Chosen = ReturnType<typeof useChoices>;

function Lines({ choices, fresh, chosen, change, chooseAll, isChecked }: Chosen & { isChecked: boolean }) {
  const known = choices.length - fresh.length;
  return (
    <>
      <div className={styles['all']}>
        {fresh.length > 0 && (
          <Tick
            label="Choisir tous les sites"
            isOn={chosen.length === fresh.length}
            isMixed={chosen.length > 0 && chosen.length < fresh.length}
            onChange={chooseAll}
          />
        )}
        <p>
          {`${plural(choices.length, 'site trouvé', 'sites trouvés')}${known > 0 ? `, dont ${known} déjà dans Vigie` : ''}.`}
        </p>
      </div>
      <ul aria-label="Sites trouvés" className={styles['list']}>
        {choices.map((choice) => (
          <FoundLine
            key={choice.found.path}
            choice={choice}
            isChecked={isChecked}
            onChange={(changes) => change(choice.found.path, changes)}
          />
        ))}
      </ul>
    </>
  );
}

/** What was found, to be chosen from and named; what is known already is shown, and left alone. */
export function FoundSites({ server, discovery, draft, onAgain, onClose }: Props) {
  const choice = useChoices(discovery.items, draft);
  const { choices, fresh, chosen } = choice;
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const owner = useServer(server).data?.owner_id;
  const { run, isSending, failure, outcome } = useImport(server, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const path = CSS.escape(chosen.find(isFaulty)?.found.path ?? '');
    if (path !== '') form.current?.querySelector<HTMLElement>(`[data-path="${path}"] input[name]`)?.focus();
    else if (chosen.length > 0 && !isSending) void run(chosen);
  };
  if (outcome) return <Outcome server={server} outcome={outcome} onClose={onClose} />;
  if (choices.length === 0) return <Nothing discovery={discovery} onAgain={onAgain} />;
  return (
    <>
      <div className={dialog['content']}>
        <Notes notes={discovery.notes} />
        <Elsewhere onSearch={onAgain} />
      </div>
      <form ref={form} noValidate onSubmit={submit}>
        <div className={dialog['content']}>
          <Lines {...choice} isChecked={isChecked} />
          {fresh.length > 0 && <GroupsField owner={owner} value={draft.groups} onChange={draft.setGroups} />}
        </div>
        <div className={dialog['foot']}>
          <Failure sentence={failure} />
          <div className={dialog['actions']}>
            <Button variant="default" onClick={onClose}>
              {fresh.length > 0 ? 'Annuler' : 'Fermer'}
            </Button>
            {fresh.length > 0 && (
              <Button type="submit" loading={isSending} disabled={chosen.length === 0}>
                {chosen.length === 0 ? 'Importer' : `Importer ${plural(chosen.length, 'site', 'sites')}`}
              </Button>
            )}
          </div>
        </div>
      </form>
    </>
  );
}
