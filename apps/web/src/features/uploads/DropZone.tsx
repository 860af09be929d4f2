import type { UploadType } from '@vigie/contracts/uploads';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useEffect, useId, useState } from 'react';
import styles from './DropZone.module.css';

const labels: Readonly<Record<UploadType, string>> = {
  plugin: 'Déposez des archives de plugins ici',
  theme: 'Déposez des archives de thèmes ici',
};

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') === true;

/** A file that misses the zone must not take the place of the page. */
function useHarmlessDrops(): void {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
}

export function DropZone({ type, onFiles }: { type: UploadType; onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const hint = useId();
  useHarmlessDrops();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])]);
    // The same file may be chosen again.
    currentTarget.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <label className={styles['zone']} data-over={isOver || undefined}>
      <input
        type="file"
        multiple
        accept=".zip,application/zip"
        className={styles['input']}
        aria-describedby={hint}
        onChange={choose}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(hasFiles(event));
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      />
      <FileUp size={20} strokeWidth={1.5} aria-hidden />
      <span className={styles['text']}>
        {labels[type]}, ou <span className={styles['choose']}>choisissez des fichiers</span>
      </span>
      <span id={hint} className={styles['hint']}>
        {'.zip uniquement, 512\u00a0Mo au plus par fichier'}
      </span>
    </label>
  );
}
