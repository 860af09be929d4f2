import { useNavigate } from '@tanstack/react-router';
import { Palette, Puzzle } from 'lucide-react';
import { Choices } from '../../ui/Choices';
import { DropZone } from './DropZone';
import styles from './Page.module.css';
import { QueueList } from './QueueList';
import { addFiles } from './queue';
import { typeOf, type UploadsSearch } from './search';
import { UploadsList } from './UploadsList';
import { typeLabels } from './words';

const choices = [
  { value: 'plugin', label: typeLabels.plugin, icon: Puzzle },
  { value: 'theme', label: typeLabels.theme, icon: Palette },
] as const;

export function UploadsPage({ search }: { search: UploadsSearch }) {
  const navigate = useNavigate();
  const show = (change: Partial<UploadsSearch>) =>
    void navigate({
      to: '/uploads',
      search: (shown: UploadsSearch) => ({ ...shown, ...change }),
      replace: true,
      resetScroll: false,
    });
  const type = typeOf(search);
  return (
    <div className={styles['page']}>
      <header>
        <h1>Uploads</h1>
        <p className={styles['lead']}>Les archives de plugins et de thèmes que vous installez sur vos sites.</p>
      </header>
      <div className={styles['type']}>
        <Choices
          legend="Type d’archive"
          choices={choices}
          value={type}
          onChange={(chosen) => show({ type: chosen === 'theme' ? chosen : undefined })}
        />
      </div>
      <DropZone type={type} onFiles={(files) => addFiles(files, type)} />
      <QueueList />
      <UploadsList search={search} onChange={show} />
    </div>
  );
}
