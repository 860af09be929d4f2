import type { Channel } from '@vigie/contracts/channels';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';
import { channelsApi } from './channels.api';

type Props = { channel: Channel; onClose: () => void };

export function DeleteChannel({ channel: { id, name, kind }, onClose }: Props) {
  const [deleteChannel, call] = channelsApi.useDeleteChannelMutation();
  const confirm = async () => {
    const { error } = await deleteChannel({ id });
    if (error) return;
    toast.success(`Canal ${name} supprimé.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer le canal ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>
        {kind === 'heartbeat'
          ? 'Vigie n’appellera plus cette adresse. Votre service de surveillance s’en alarmera\u00a0: prévenez-le, ou arrêtez-le aussi.'
          : 'Plus rien ne partira par ce canal. Ses messages disparaissent aussi, y compris du déroulé des incidents.'}
      </p>
    </ConfirmDialog>
  );
}
