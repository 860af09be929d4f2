import { Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Upload } from '@vigie/contracts/uploads';
import { Palette, Puzzle } from 'lucide-react';
import { changeSearch } from '../../kit/list/changeSearch';
import { Choices } from '../../ui/Choices';
import { DropZone } from '../../ui/DropZone';
import { Page } from '../../ui/Page';
import { QueueList } from './QueueList';
import { queue } from './queue';
import { kindOf, type UploadsSearch } from './search';
import { UploadsList } from './UploadsList';
import { typeLabels } from './words';

const choices = [
  { value: 'plugin', label: typeLabels.plugin, icon: Puzzle },
  { value: 'theme', label: typeLabels.theme, icon: Palette },
] as const;

const labels = {
  plugin: 'Déposez des archives de plugins ici',
  theme: 'Déposez des archives de thèmes ici',
} as const;

type Props = {
  search: UploadsSearch;
  /** Opens the choice of the sites to install the archive on. */
  onInstall: (upload: Upload) => void;
};

export function UploadsPage({ search, onInstall }: Props) {
  const navigate = useNavigate();
  const show = (change: Partial<UploadsSearch>) => void navigate({ to: '/uploads', ...changeSearch(change) });
  const kind = kindOf(search);
  return (
    <Page title="Uploads" lead="Les archives de plugins et de thèmes que vous installez sur vos sites.">
      <Box maw={400}>
        <Choices
          legend="Type d’archive"
          choices={choices}
          value={kind}
          onChange={(chosen) => show({ type: chosen === 'theme' ? chosen : undefined })}
        />
      </Box>
      <DropZone
        label={labels[kind]}
        hint={'.zip uniquement, 512\u00a0Mo au plus par fichier'}
        accept=".zip,application/zip"
        onFiles={(files) => queue.add(files, { kind, version: undefined, replaces: false })}
      />
      <QueueList />
      <UploadsList search={search} onChange={show} onInstall={onInstall} />
    </Page>
  );
}
