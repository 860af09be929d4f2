import { FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useEffect, useId, useState } from 'react';
import styles from './DropZone.module.css';

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') === true;

/** Without this, the browser would open a file that is dropped beside the zone in place of the page. */
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

type Props = {
  /** An imperative: "Déposez des sauvegardes ici". */
  label: string;
  hint: string;
  accept: string;
  onFiles: (files: readonly File[]) => void;
};

export function DropZone({ label, hint, accept, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const about = useId();
  useHarmlessDrops();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])]);
    // Lets the same file be chosen again.
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
        accept={accept}
        className={styles['input']}
        aria-describedby={about}
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
        {label}, ou <span className={styles['choose']}>choisissez des fichiers</span>
      </span>
      <span id={about} className={styles['hint']}>
        {hint}
      </span>
    </label>
  );
}
