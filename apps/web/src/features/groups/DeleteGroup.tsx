import type { Group } from '@vigie/contracts/groups';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { groupsApi } from './groups.api';

type Props = { group: Group; groups: readonly Group[]; onClose: () => void };

const list = new Intl.ListFormat('fr-FR');

/** Says where the subgroups move to. */
export function DeleteGroup({ group, groups, onClose }: Props) {
  const [deleteGroup, call] = groupsApi.useDeleteGroupMutation();
  const { id, name, parent_id: parentId, sitesCount: sites, serversCount: servers } = group;
  const children = groups.filter((other) => other.parent_id === id);
  const parent = groups.find((other) => other.id === parentId);
  const confirm = async () => {
    const { error } = await deleteGroup({ id });
    if (error) return;
    toast.success(`Groupe ${name} supprimé.`);
    onClose();
  };
  const where = parent ? `dans le groupe ${parent.name}` : 'au premier niveau';
  return (
    <ConfirmDialog
      title={`Supprimer le groupe ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children.length > 0 && (
        <p>
          {children.length === 1 ? 'Son sous-groupe ' : 'Ses sous-groupes '}
          <strong>{list.format(children.map((child) => child.name))}</strong>
          {children.length === 1 ? ` ira ${where}.` : ` iront ${where}.`}
        </p>
      )}
      <p>
        {sites + servers > 0
          ? `${list.format([
              ...(sites > 0 ? [plural(sites, 'site', 'sites')] : []),
              ...(servers > 0 ? [plural(servers, 'serveur', 'serveurs')] : []),
            ])} en font partie, sous-groupes compris\u00a0: aucun n’est supprimé.`
          : 'Aucun site ni serveur n’est supprimé.'}
      </p>
    </ConfirmDialog>
  );
}
