import { Stack, Text } from '@mantine/core';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import dialog from '../../kit/dialog/dialog.module.css';
import { GrantsList } from './GrantsList';
import { nameTarget, type Target } from './grants.api';
import { ShareForm } from './ShareForm';
import { useShareForm } from './useShareForm';

type Props = { target: Target; onClose: () => void };

/** Shows who has access to a site or group, and shares it with others. Each change applies at once. */
export function ShareDialog({ target, onClose }: Props) {
  const sharing = useShareForm(target);
  const { isDirty } = sharing.form;
  const lost = 'La personne ou l’équipe choisie n’a pas encore accès.';
  const { close, guard } = useCloseGuard({ isDirty, undone: 'partager', lost, onClose });
  return (
    <FormDialog title={`Partager ${nameTarget(target)}`} onClose={close}>
      <div className={dialog['content']}>
        <Stack gap={24}>
          <GrantsList target={target} onLeft={onClose} />
          <ShareForm sharing={sharing} />
        </Stack>
        {target.kind === 'group' && (
          <Text variant="note">Le partage vaut pour tous ses sites et ceux de ses sous-groupes.</Text>
        )}
      </div>
      <DialogFoot cancel="Fermer" onCancel={close} />
      {guard}
    </FormDialog>
  );
}
