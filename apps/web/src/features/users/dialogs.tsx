import type { AdminUser } from '@vigie/contracts/users';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { withDe } from '@vigie/contracts/french';
import { toast } from '../../ui/toasts';
import { nameOf } from '../../kit/fleet/users';
import { usersApi } from './users.api';

type Props = { user: AdminUser; onClose: () => void };

export function DeleteUser({ user, onClose }: Props) {
  const [deleteUser, call] = usersApi.useDeleteUserMutation();
  const confirm = async () => {
    const { error } = await deleteUser({ id: user.id });
    if (error) return;
    toast.success(`Compte de ${nameOf(user)} supprimé.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer le compte de ${nameOf(user)}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{user.email} ne pourra plus se connecter, dès maintenant.</p>
      <p>
        Ses sites, serveurs, groupes et uploads vous seront attribués. Sa configuration DNS sera effacée, avec ses
        liens.
      </p>
    </ConfirmDialog>
  );
}

export function ResetTwoFactor({ user, onClose }: Props) {
  const [resetTwoFactor, call] = usersApi.useResetTwoFactorMutation();
  const confirm = async () => {
    const { error } = await resetTwoFactor({ id: user.id });
    if (error) return;
    toast.success(`2FA ${withDe(nameOf(user))} réinitialisée.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Réinitialiser la 2FA ${withDe(nameOf(user))}\u202f?`}
      action="Réinitialiser la 2FA"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>
        {
          'Son application, ses clés d’accès et ses codes de récupération ne serviront plus\u00a0: son mot de passe suffira pour se connecter.'
        }
      </p>
      <p>Assurez-vous que c’est bien cette personne qui vous le demande.</p>
    </ConfirmDialog>
  );
}
