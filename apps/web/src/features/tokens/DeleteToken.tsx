import type { Token } from '@vigie/contracts/tokens';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { tokensApi } from './tokens.api';

type Props = { token: Token; onClose: () => void };

export function DeleteToken({ token: { id, name }, onClose }: Props) {
  const [deleteToken, call] = tokensApi.useDeleteTokenMutation();
  const confirm = async () => {
    const { error } = await deleteToken({ id });
    if (error) return;
    toast.success(`Jeton ${name} révoqué.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Révoquer le jeton ${name}\u202f?`}
      action="Révoquer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Ce qui s’en sert est refusé aussitôt.</p>
    </ConfirmDialog>
  );
}
