import type { Group } from '@vigie/contracts/groups';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { statusPagesApi } from './status-pages.api';

type RenewProps = { group: Group; onRenewed: (secret: string) => void; onClose: () => void };

export function RenewLink({ group: { id }, onRenewed, onClose }: RenewProps) {
  const [renew, call] = statusPagesApi.useRenewStatusPageMutation();
  const confirm = async () => {
    const { data } = await renew({ id });
    if (!data) return;
    onRenewed(data.secret);
    onClose();
  };
  return (
    <ConfirmDialog
      title={'Créer un nouveau lien\u202f?'}
      action="Remplacer le lien"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>L’ancien lien ne marchera plus, aussitôt et pour tous ceux qui l’ont.</p>
    </ConfirmDialog>
  );
}

type UnpublishProps = { group: Group; onRemoved: () => void; onClose: () => void };

export function Unpublish({ group: { id, name }, onRemoved, onClose }: UnpublishProps) {
  const [remove, call] = statusPagesApi.useDeleteStatusPageMutation();
  const confirm = async () => {
    const { error } = await remove({ id });
    if (error) return;
    toast.success(`La page publique de ${name} n’est plus en ligne.`);
    onRemoved();
  };
  return (
    <ConfirmDialog
      title={'Ne plus publier cette page\u202f?'}
      action="Retirer la page"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Son lien ne marchera plus, aussitôt. Une page publiée plus tard en aura un autre.</p>
    </ConfirmDialog>
  );
}
