import { Button, Group, Text, TextInput } from '@mantine/core';
import { wpPath } from '@vigie/contracts/site-address';
import type { Discovery } from '@vigie/contracts/site-discovery';
import { FolderSearch, TriangleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import dialog from '../../kit/dialog/dialog.module.css';
import { GroupsField } from '../../kit/fleet/GroupsField';
import { useServer } from '../../kit/fleet/servers';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { hasErrors } from './choices';
import { DiscoveredSiteLine } from './DiscoveredSiteLine';
import { ImportOutcome } from './ImportOutcome';
import { type Draft, useChoices } from './useDraft';
import { useImport } from './useImport';

type Props = {
  serverId: string;
  discovery: Discovery;
  draft: Draft;
  onSearchAgain: (folder?: string) => void;
  onClose: () => void;
};

type MoreProps = { serverId: string; notes: readonly string[]; onSearch: (folder: string) => void };

/** What the search could not read, and a search in one more folder, each under its button. */
function MoreToFind({ serverId, notes, onSearch }: MoreProps) {
  const [open, setOpen] = useState<'notes' | 'folder'>();
  const toggle = (part: typeof open) => ({
    variant: 'default',
    'aria-expanded': open === part,
    onClick: () => setOpen(open === part ? undefined : part),
  });
  return (
    <>
      <Group gap={8}>
        {notes.length > 0 && (
          <Button {...toggle('notes')} leftSection={<TriangleAlert size={16} aria-hidden />}>
            {`Voir ce qui n’a pas pu être lu (${notes.length})`}
          </Button>
        )}
        <Button {...toggle('folder')} leftSection={<FolderSearch size={16} aria-hidden />}>
          Chercher dans un autre dossier
        </Button>
      </Group>
      {open === 'notes' && (
        <Lines aria-label="Ce qui n’a pas pu être lu" isFramed>
          {notes.map((note) => (
            <Text component="li" key={note} variant="note" p="6px 12px">
              {note}
            </Text>
          ))}
        </Lines>
      )}
      {open === 'folder' && <SearchOtherFolder serverId={serverId} onSearch={onSearch} />}
    </>
  );
}

function NoSitesFound({ serverId, discovery, onSearchAgain }: Pick<Props, 'serverId' | 'discovery' | 'onSearchAgain'>) {
  return (
    <>
      <EmptyState
        icon={FolderSearch}
        title="Aucun site WordPress n’a été trouvé."
        actions={
          <Button variant="default" onClick={() => onSearchAgain()}>
            Chercher de nouveau
          </Button>
        }
      >
        <p>
          Vigie ne voit que les dossiers lisibles par son utilisateur SSH. Vous pouvez aussi ajouter un site par son
          chemin.
        </p>
      </EmptyState>
      <div className={dialog['content']}>
        <MoreToFind serverId={serverId} notes={discovery.notes} onSearch={onSearchAgain} />
      </div>
    </>
  );
}

type ImportChoices = ReturnType<typeof useChoices>;

function SitesToImport({
  choices,
  newSites,
  chosen,
  change,
  chooseAll,
  showsErrors,
}: ImportChoices & { showsErrors: boolean }) {
  const knownCount = choices.length - newSites.length;
  const known = newSites.length === 0 ? ', tous déjà dans Vigie' : `, dont ${knownCount} déjà dans Vigie`;
  return (
    <>
      <Group gap={4} ml={4} wrap="nowrap">
        {newSites.length > 0 && (
          <RowCheckbox
            label="Choisir tous les sites"
            isOn={chosen.length === newSites.length}
            isMixed={chosen.length > 0 && chosen.length < newSites.length}
            onChange={chooseAll}
          />
        )}
        <p>{`${plural(choices.length, 'site trouvé', 'sites trouvés')}${knownCount > 0 ? known : ''}.`}</p>
      </Group>
      <Lines aria-label="Sites trouvés" isFramed>
        {choices.map((importChoices) => (
          <DiscoveredSiteLine
            key={importChoices.site.path}
            choice={importChoices}
            showsErrors={showsErrors}
            onChange={(changes) => change(importChoices.site.path, changes)}
          />
        ))}
      </Lines>
    </>
  );
}

/** Lists the discovered sites to choose and name. Sites that Vigie has already are listed without fields. */
export function DiscoveredSites({ serverId, discovery, draft, onSearchAgain, onClose }: Props) {
  const importChoices = useChoices(discovery.items, draft);
  const { choices, newSites, chosen } = importChoices;
  const [showsErrors, setShowsErrors] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const owner = useServer(serverId).data?.owner_id;
  const { run, isSending, failure, outcome } = useImport(serverId, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowsErrors(true);
    const path = CSS.escape(chosen.find(hasErrors)?.site.path ?? '');
    if (path !== '') form.current?.querySelector<HTMLElement>(`[data-path="${path}"] input[name]`)?.focus();
    else if (chosen.length > 0 && !isSending) void run(chosen);
  };
  if (outcome) return <ImportOutcome serverId={serverId} outcome={outcome} onClose={onClose} />;
  if (choices.length === 0)
    return <NoSitesFound serverId={serverId} discovery={discovery} onSearchAgain={onSearchAgain} />;
  return (
    <>
      <div className={dialog['content']}>
        <MoreToFind serverId={serverId} notes={discovery.notes} onSearch={onSearchAgain} />
      </div>
      <form ref={form} noValidate onSubmit={submit}>
        <div className={dialog['content']}>
          <SitesToImport {...importChoices} showsErrors={showsErrors} />
          {newSites.length > 0 && <GroupsField owner={owner} value={draft.groups} onChange={draft.setGroups} />}
        </div>
        <DialogFoot failure={failure} cancel={newSites.length > 0 ? 'Annuler' : 'Fermer'} onCancel={onClose}>
          {newSites.length > 0 && (
            <Button type="submit" loading={isSending} disabled={chosen.length === 0}>
              {chosen.length === 0 ? 'Importer' : `Importer ${plural(chosen.length, 'site', 'sites')}`}
            </Button>
          )}
        </DialogFoot>
      </form>
    </>
  );
}

const folderMissing = 'Saisissez un dossier du serveur, par exemple /data/sites.';

const blank = { folder: '' };

function checkFolder({ folder }: typeof blank): { folder?: string } {
  const parsed = wpPath.safeParse(folder.trim());
  const message = parsed.data === '' ? folderMissing : parsed.error?.issues[0]?.message;
  return message === undefined ? {} : { folder: message };
}

type SearchOtherFolderProps = Omit<MoreProps, 'notes'>;

/** Searches the server again, with one more folder. */
function SearchOtherFolder({ serverId, onSearch }: SearchOtherFolderProps) {
  const form = useDraftForm({ name: `other-folder ${serverId}`, initial: blank, validate: checkFolder });
  const search = form.submit(({ folder }) => onSearch(wpPath.parse(folder.trim())));
  return (
    <form noValidate onSubmit={search}>
      <Group align="flex-end" gap={8}>
        <TextInput
          flex="1 1 240px"
          label="Chercher aussi dans"
          placeholder="/data/sites"
          spellCheck={false}
          {...form.field('folder')}
        />
        <Button type="submit" variant="default">
          Chercher
        </Button>
      </Group>
    </form>
  );
}
