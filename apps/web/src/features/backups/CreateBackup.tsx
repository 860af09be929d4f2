import { Button, Checkbox, Group } from '@mantine/core';
import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import styles from './backups.module.css';

type Props = { isBusy: boolean; onCreate: (excludeCache: boolean) => void };

export function CreateBackup({ isBusy, onCreate }: Props) {
  const [excludeCache, setExcludeCache] = useState(true);
  return (
    <Group gap="8px 16px" className={styles['buttons'] ?? ''}>
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
    </Group>
  );
}
