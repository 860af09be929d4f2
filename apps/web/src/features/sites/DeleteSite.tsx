import type { SiteItem } from '@vigie/contracts/sites';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { sitesApi } from './sites.api';

type Props = { site: Pick<SiteItem, 'id' | 'name' | 'url' | 'connection'>; onDeleted: () => void; onClose: () => void };

/** Names what Vigie forgets and what stays on the host. */
export function DeleteSite({ site: { id, name, url, connection }, onDeleted, onClose }: Props) {
  const [deleteSite, call] = sitesApi.useDeleteSiteMutation();
  const hasSecret = connection.ssh.has_password || connection.ssh.has_key;
  const confirm = async () => {
    const { error } = await deleteSite({ id });
    if (error) return;
    toast.success(`Site ${name} supprimé.`);
    onDeleted();
  };
  return (
    <ConfirmDialog
      title={`Supprimer le site ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{`Vigie oubliera ${url}\u00a0: son inventaire${hasSecret ? ', ses secrets de connexion' : ''} et ses relevés.`}</p>
      <p>Aucun fichier n’est touché sur l’hôte. Le site reste en ligne.</p>
    </ConfirmDialog>
  );
}
