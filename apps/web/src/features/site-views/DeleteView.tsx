import type { SiteView } from '@vigie/contracts/site-views';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { siteViewsApi } from './site-views.api';

type Props = { view: SiteView; onClose: () => void };

export function DeleteView({ view: { id, name }, onClose }: Props) {
  const [remove, { isLoading }] = siteViewsApi.useDeleteSiteViewMutation();
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setFailure(undefined);
    const { error } = await remove({ id });
    if (error) return setFailure(reportFailure(error, 'Échec de la suppression.'));
    toast.success(`Vue ${name} supprimée.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer la vue ${name}\u202f?`}
      action="Supprimer"
      isBusy={isLoading}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Sa recherche, ses filtres et ses colonnes sont oubliés. Aucun site n’est touché.</p>
    </ConfirmDialog>
  );
}
