import { Button } from '@mantine/core';
import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { CheckboxField } from '../../ui/CheckboxField';
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
      <CheckboxField label="Exclure le cache" isOn={excludeCache} disabled={isBusy} onChange={setExcludeCache} />
    </div>
  );
}
