import type { Upload } from '@vigie/contracts/uploads';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { uploadsApi } from './uploads.api';

export function DeleteUpload({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const [deleteUpload, call] = uploadsApi.useDeleteUploadMutation();
  const confirm = async () => {
    const { error } = await deleteUpload({ id: upload.id, type: upload.type, filename: upload.filename });
    if (error) return;
    toast.success(`${upload.filename} supprimé.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer ${upload.filename}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>L’archive ne pourra plus être installée. Les sites qui l’ont déjà la gardent.</p>
    </ConfirmDialog>
  );
}
