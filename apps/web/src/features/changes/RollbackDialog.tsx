import type { Site } from '@vigie/contracts/sites';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { TimeAgo } from '../../ui/TimeAgo';
import { type Submit, useSubmit } from './useSiteChanges';
import { databaseRollbackText } from './words';

type Props = {
  name: string;
  version: string | null;
  previous: NonNullable<Site['previous']>;
  onRestore: Submit;
  onClose: () => void;
};

/** A manual rollback: says what is restored and what is not. */
export function RollbackDialog({ name, version, previous, onRestore, onClose }: Props) {
  const { call, run } = useSubmit(onClose);
  const database = databaseRollbackText(previous);
  const previousVersion = previous.version ?? 'sa version précédente';
  return (
    <ConfirmDialog
      title={`Revenir à la version précédente de ${name}\u202f?`}
      action={previous.version === null ? 'Revenir en arrière' : `Revenir à la version ${previous.version}`}
      call={call}
      onConfirm={() => run(onRestore)}
      onCancel={onClose}
    >
      <p>
        {`${name} passe de ${version ?? 'la version actuelle'} à ${previousVersion}. Vigie restaure ses fichiers copiés `}
        <TimeAgo at={previous.made_at} />
        {', et garde une copie de ceux d’aujourd’hui.'}
      </p>
      <p>
        {database.loss !== null && <strong>{database.loss}</strong>}
        {database.rest}
      </p>
    </ConfirmDialog>
  );
}
