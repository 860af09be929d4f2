import type { Grant } from '@vigie/contracts/grants';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { useUser } from '../../kit/fleet/users';
import { toast } from '../../ui/toasts';
import { grantsApi, nameTarget, type Target } from './grants.api';

type Props = { grant: Grant; target: Target; onLeft: () => void; onClose: () => void };

export function DeleteGrant({ grant, target, onLeft, onClose }: Props) {
  const [deleteGrant, call] = grantsApi.useDeleteGrantMutation();
  const isOwn = useUser()?.id === grant.user_id;
  const confirm = async () => {
    const { error } = await deleteGrant({ id: grant.id });
    if (error) return;
    toast.success(`L’accès de ${grant.name} est retiré.`);
    onClose();
    if (isOwn) onLeft();
  };
  const subject = isOwn ? 'Vous' : grant.team_id === null ? grant.name : `L’équipe ${grant.name}`;
  return (
    <ConfirmDialog
      title={`Retirer l’accès de ${grant.name}\u202f?`}
      action="Retirer l’accès"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>
        {`${subject} ${isOwn ? 'ne verrez' : 'ne verra'} plus ${nameTarget(target)}, sauf par un autre partage. Rien n’est supprimé.`}
      </p>
    </ConfirmDialog>
  );
}
