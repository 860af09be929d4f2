import type { Backup } from '@vigie/contracts/backups';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { backupCommandsApi } from './backups.api';
import { locationParams, formatMegabytes } from './words';

type Props = { site: { id: string; name: string }; backup: Backup; onClose: () => void };

export function DeleteBackup({ site, backup: { filename, size, location }, onClose }: Props) {
  const [remove, call] = backupCommandsApi.useDeleteBackupMutation();
  const confirm = async () => {
    const { error } = await remove({ id: site.id, filename, location: locationParams[location] });
    if (error) return;
    toast.success(`${filename} supprimé.`);
    onClose();
  };
  const isLocal = location === 'Local';
  return (
    <ConfirmDialog
      title={`Supprimer ${filename}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>
        {isLocal
          ? `La copie gardée par Vigie (${formatMegabytes(size)}) disparaît. Celle de l’hôte, s’il y en a une, reste.`
          : `La sauvegarde de ${site.name} (${formatMegabytes(size)}) disparaît de son hôte. La copie gardée par Vigie, s’il y en a une, reste.`}
      </p>
      <p>Cette suppression est définitive.</p>
    </ConfirmDialog>
  );
}
