import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Callout } from '../../ui/Callout';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import dialog from '../../kit/dialog/dialog.module.css';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import styles from './site-discovery.module.css';
import type { ImportResult } from './site-discovery.api';

type Props = { serverId: string; outcome: ImportResult; onClose: () => void };

export function ImportOutcome({ serverId, outcome: { items, skipped }, onClose }: Props) {
  return (
    <>
      <div className={dialog['content']}>
        <Callout tone={items.length > 0 ? 'ok' : 'info'}>
          <output>{plural(items.length, 'site importé', 'sites importés')}</output>
          {items.length > 0 && <Text fw={400}>Vigie lit maintenant les versions et les mises à jour.</Text>}
        </Callout>
        {items.length > 0 && (
          <Lines aria-label="Sites importés" isFramed>
            {items.map(({ id: siteId, name, path }) => (
              <li key={siteId} className={styles['known']}>
                <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
                  {name}
                </Link>
                <code>{path}</code>
              </li>
            ))}
          </Lines>
        )}
        {skipped.length > 0 && <SkippedSites skipped={skipped} />}
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose}>
        <Button renderRoot={(props) => <Link {...props} to="/sites" search={{ server: serverId }} />}>
          Voir les sites
        </Button>
      </DialogFoot>
    </>
  );
}

function SkippedSites({ skipped }: Pick<ImportResult, 'skipped'>) {
  return (
    <>
      <p>{`${plural(skipped.length, 'site était', 'sites étaient')} déjà dans Vigie\u00a0:`}</p>
      <Lines aria-label="Sites déjà connus" isFramed>
        {skipped.map(({ path, site_id: siteId }) => (
          <li key={path} className={styles['known']}>
            <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
              Voir
            </Link>
            <code>{path}</code>
          </li>
        ))}
      </Lines>
    </>
  );
}
