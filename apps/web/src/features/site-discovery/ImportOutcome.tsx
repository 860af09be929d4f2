import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Callout } from '../../ui/Callout';
import { DialogFoot } from '../../kit/dialog/DialogFoot';
import dialog from '../../kit/dialog/DialogForm.module.css';
import { plural } from '../../ui/plural';
import styles from './DiscoveryDialog.module.css';
import type { ImportResult } from './site-discovery.api';

type Props = { serverId: string; outcome: ImportResult; onClose: () => void };

export function ImportOutcome({ serverId, outcome: { items, skipped }, onClose }: Props) {
  return (
    <>
      <div className={dialog['content']}>
        <Callout tone={items.length > 0 ? 'ok' : 'info'}>
          <output>{plural(items.length, 'site importé', 'sites importés')}</output>
          {items.length > 0 && <p className={styles['more']}>Vigie lit leurs versions et leurs mises à jour.</p>}
        </Callout>
        {items.length > 0 && (
          <ul aria-label="Sites importés" className={styles['list']}>
            {items.map(({ id: siteId, name, path }) => (
              <li key={siteId} className={styles['done']}>
                <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
                  {name}
                </Link>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        )}
        {skipped.length > 0 && (
          <>
            <p>{`${plural(skipped.length, 'site était', 'sites étaient')} déjà dans Vigie\u00a0:`}</p>
            <ul aria-label="Sites déjà connus" className={styles['list']}>
              {skipped.map(({ path, site_id: siteId }) => (
                <li key={path} className={styles['done']}>
                  <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
                    Voir
                  </Link>
                  <code>{path}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose}>
        <Button renderRoot={(props) => <Link {...props} to="/sites" search={{ server: serverId }} />}>
          Voir les sites
        </Button>
      </DialogFoot>
    </>
  );
}
