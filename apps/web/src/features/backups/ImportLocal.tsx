import { Button } from '@mantine/core';
import { useState } from 'react';
import { SendingsList } from '../../app/SendingsList';
import { useListed } from '../../app/useListed';
import { DropZone } from '../../ui/DropZone';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import styles from './Backups.module.css';
import { LocalSearch, type Locals, useLocals } from './LocalSearch';
import { sendings } from './sendings';
import type { Backups } from './useBackups';
import { listFailed, noneChosen, spellMo } from './words';

const noneOf = ({ q }: Locals) => (q === '' ? 'Aucun backup local' : 'Aucun backup ne correspond');

function Bring({ locals, backups }: { locals: Locals; backups: Backups }) {
  const [chosen, setChosen] = useState('');
  const [isRefused, setRefused] = useState(false);
  const { items, nameOf } = locals;
  const filename = items.some((one) => one.filename === chosen) ? chosen : '';
  const bring = () => {
    setRefused(filename === '');
    if (filename === '') toast.error(noneChosen);
    else void backups.start({ kind: 'backups.import', filename });
  };
  return (
    <div className={styles['bring']}>
      <SelectField
        label="Backup local"
        className={styles['field'] ?? ''}
        value={filename}
        error={isRefused && filename === '' ? noneChosen : undefined}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: items.length === 0 ? noneOf(locals) : 'Choisir un backup local' },
          ...items.map((one) => ({ value: one.filename, label: nameOf(one) })),
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

/** Uploads an archive to Vigie, and copies one from Vigie to the backup folder of a site. */
export function ImportLocal({ site, backups }: { site: string; backups: Backups }) {
  const locals = useLocals(site);
  const { data, sentence, isFetching, refresh } = useListed(locals.answer, listFailed);
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
      <Failure sentence={sentence}>
        <RetryButton isAsking={isFetching} onRetry={refresh} />
      </Failure>
      {data && <LocalSearch locals={locals} />}
      {data && <Bring locals={locals} backups={backups} />}
    </section>
  );
}
