import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import dialog from '../../kit/dialog/dialog.module.css';
import { Callout } from '../../ui/Callout';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { commonServer } from './lines';
import type { ImportResult } from './site-csv.api';

const maxReasons = 100;

/** How the import ended, with the reason of each refusal. */
export function CsvOutcome({ outcome, onClose }: { outcome: ImportResult; onClose: () => void }) {
  const { items, skipped, refused } = outcome;
  return (
    <>
      <div className={dialog['content']}>
        <Callout tone={items.length > 0 ? 'ok' : 'info'}>
          <output>{plural(items.length, 'site importé', 'sites importés')}</output>
          {items.length > 0 && <Text fw={400}>Vigie lit maintenant les versions et les mises à jour.</Text>}
        </Callout>
        {skipped.length > 0 && <p>{`${plural(skipped.length, 'site était', 'sites étaient')} déjà dans Vigie.`}</p>}
        {refused.length > 0 && (
          <>
            <p>{`${plural(refused.length, 'ligne refusée', 'lignes refusées')}\u00a0:`}</p>
            <Lines aria-label="Lignes refusées" isFramed>
              {refused.slice(0, maxReasons).map(({ line, reason }) => (
                <Text component="li" key={line} p="8px 12px">{`Ligne ${line}\u00a0: ${reason}`}</Text>
              ))}
            </Lines>
          </>
        )}
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose}>
        <Button renderRoot={(props) => <Link {...props} to="/sites" search={{ server: commonServer(outcome) }} />}>
          Voir les sites
        </Button>
      </DialogFoot>
    </>
  );
}
