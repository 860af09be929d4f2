import type { SiteView } from '@vigie/contracts/site-views';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { siteViewsApi } from './site-views.api';

type Props = { view: SiteView; onClose: () => void };

export function DeleteView({ view: { id, name }, onClose }: Props) {
  const [remove, call] = siteViewsApi.useDeleteSiteViewMutation();
  const confirm = async () => {
    const { error } = await remove({ id });
    if (error) return;
    toast.success(`Vue ${name} supprimée.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer la vue ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Sa recherche, ses filtres et ses colonnes sont oubliés. Aucun site n’est touché.</p>
    </ConfirmDialog>
  );
}
