import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { When } from '../../ui/When';

type Props = {
  name: string;
  version: string | null;
  previous: NonNullable<Site['previous']>;
  /** Of WordPress itself: whether the database comes back with its files. */
  hasTables?: boolean;
  /** Whether it was begun. */
  onRestore: () => Promise<boolean>;
  onClose: () => void;
};

/** The way back by hand: what comes back, and what does not. */
export function RestoreDialog({ name, version, previous, hasTables, onRestore, onClose }: Props) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onRestore();
    onClose();
  };
  const back = previous.version ?? 'sa version précédente';
  return (
    <ConfirmDialog
      title={`Revenir à la version précédente de ${name}\u202f?`}
      action={previous.version === null ? 'Revenir en arrière' : `Revenir à la version ${previous.version}`}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>
        {`${name} passe de ${version ?? 'la version actuelle'} à ${back}. Ses fichiers sont ceux de la copie mise de côté `}
        <When at={previous.made_at} />
        {'\u202f; ceux d’aujourd’hui sont mis de côté à leur tour.'}
      </p>
      {hasTables ? (
        <p>
          <strong>La base de données revient aussi à ce jour-là</strong>
          &#160;: ce qui a été écrit sur le site depuis (articles, commentaires, commandes) n’y est plus. Celle
          d’aujourd’hui est mise de côté.
        </p>
      ) : (
        <p>
          {hasTables === false && 'Cette copie n’a que les fichiers de WordPress. '}
          La base de données ne change pas&#160;: ce qu’une mise à jour y a fait reste fait.
        </p>
      )}
    </ConfirmDialog>
  );
}
