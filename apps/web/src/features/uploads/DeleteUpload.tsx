import type { Upload } from '@vigie/contracts/uploads';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { uploadsApi } from './uploads.api';

export function DeleteUpload({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const [deleteUpload, { isLoading }] = uploadsApi.useDeleteUploadMutation();
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setFailure(undefined);
    const { error } = await deleteUpload({ id: upload.id, type: upload.type, filename: upload.filename });
    if (error) return setFailure(reportFailure(error, 'Échec de la suppression.'));
    toast.success(`${upload.filename} supprimé.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer ${upload.filename}\u202f?`}
      action="Supprimer"
      isBusy={isLoading}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>L’archive ne pourra plus être installée. Les sites qui l’ont déjà la gardent.</p>
    </ConfirmDialog>
  );
}
