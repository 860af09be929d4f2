import { Button } from '@mantine/core';
import type { LocalBackup } from '@vigie/contracts/backups';
import { useState } from 'react';
import { SendingsList } from '../../app/SendingsList';
import { useListed } from '../../app/useListed';
import { DropZone } from '../../ui/DropZone';
import { Failure } from '../../ui/Failure';
import { SelectField } from '../../ui/SelectField';
import { useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import styles from './Backups.module.css';
import { backupsApi } from './backups.api';
import { sendings } from './sendings';
import type { Backups } from './useBackups';
import { listFailed, noneChosen, spellMo } from './words';

function Bring({ site, locals, backups }: { site: string; locals: readonly LocalBackup[]; backups: Backups }) {
  const [chosen, setChosen] = useState('');
  const [isRefused, setRefused] = useState(false);
  const filename = locals.some((one) => one.filename === chosen) ? chosen : '';
  const bring = () => {
    setRefused(filename === '');
    if (filename === '') toast.error(noneChosen);
    else void backups.start({ kind: 'backups.import', filename });
  };
  const nameOf = (one: LocalBackup) =>
    [one.filename, one.site_id !== site && one.site_name, spellMo(one.size)].filter(Boolean).join(' · ');
  return (
    <div className={styles['bring']}>
      <SelectField
        label="Backup local"
        className={styles['field'] ?? ''}
        value={filename}
        error={isRefused && filename === '' ? noneChosen : undefined}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: locals.length === 0 ? 'Aucun backup local' : 'Choisir un backup local' },
          ...locals.map((one) => ({ value: one.filename, label: nameOf(one) })),
        ]}
      />
      <Button
        variant="default"
        className={styles['send'] ?? ''}
        disabled={filename !== '' && backups.isBusy({ kind: 'backups.import', filename })}
        onClick={bring}
      >
        Importer sur le site
      </Button>
    </div>
  );
}

/** Archives come into Vigie by a file, and from Vigie to the folder of a site. */
export function ImportLocal({ site, backups }: { site: string; backups: Backups }) {
  const answer = useListed(backupsApi.useLocalBackupsQuery(site, { refetchOnMountOrArgChange: true }), listFailed);
  const { currentData: locals, sentence, isFetching, refresh } = answer;
  const items = useSignal(sendings.list).filter((one) => one.site === site);
  return (
    <section aria-labelledby="import-title" className={styles['section']}>
      <div>
        <h2 id="import-title">Importer un backup local</h2>
        <p className={styles['about']}>
          Téléversez une archive dans Vigie, puis copiez-la dans le dossier de sauvegardes du site.
        </p>
      </div>
      <DropZone
        label="Déposez des sauvegardes ici"
        hint=".wpress uniquement, dans la limite de la place libre de Vigie"
        accept=".wpress"
        onFiles={(files) => sendings.add(files, { site })}
      />
      <SendingsList sendings={sendings} items={items} factsOf={({ file }) => [spellMo(file.size)]} />
      <Failure sentence={locals ? undefined : sentence}>
        <Button variant="default" loading={isFetching} onClick={refresh}>
          Réessayer
        </Button>
      </Failure>
      {locals && <Bring site={site} locals={locals} backups={backups} />}
    </section>
  );
}
