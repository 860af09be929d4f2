import { Button, Checkbox } from '@mantine/core';
import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import styles from './Backups.module.css';

type Props = { isBusy: boolean; onCreate: (excludeCache: boolean) => void };

export function CreateBackup({ isBusy, onCreate }: Props) {
  const [excludeCache, setExcludeCache] = useState(true);
  return (
    <div className={styles['create']}>
      <Button
        disabled={isBusy}
        leftSection={<ArchiveRestore size={16} aria-hidden />}
        onClick={() => onCreate(excludeCache)}
      >
        Créer une sauvegarde
      </Button>
      <Checkbox
        label="Exclure le cache"
        checked={excludeCache}
        disabled={isBusy}
        onChange={(event) => setExcludeCache(event.currentTarget.checked)}
      />
    </div>
  );
}
