import { type AdminUser, Role } from '@vigie/contracts/users';
import { useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { useUser } from '../../kit/fleet/users';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { SelectField } from '../../ui/SelectField';
import { toast } from '../../ui/toasts';
import { nameOf } from '../../kit/fleet/users';
import { roleLabel } from './rows';
import { usersApi } from './users.api';

export const roleChoices = Role.options.map((role) => ({ value: role, label: roleLabel({ role }) }));

function useRole(user: AdminUser) {
  const [editUser, { isLoading, error, originalArgs }] = usersApi.useEditUserMutation();
  const save = async (role: Role): Promise<void> => {
    const { data } = await editUser({ id: user.id, role });
    if (data) toast.success(`Rôle de ${nameOf(user)}\u00a0: ${roleLabel({ role })}.`);
  };
  return {
    role: (isLoading && originalArgs?.role) || user.role,
    isSaving: isLoading,
    failure: sentenceOf(error),
    save,
  };
}

/** Saves a new role at once, but asks before taking administrator rights away. */
export function RoleField({ user, isInTable = false }: { user: AdminUser; isInTable?: boolean }) {
  const { role, isSaving, failure, save } = useRole(user);
  const [isConfirming, setConfirming] = useState(false);
  const isOwn = useUser()?.id === user.id;
  const choose = (newRole: Role) => {
    if (user.role === 'admin' && newRole === 'client') setConfirming(true);
    else if (newRole !== user.role) void save(newRole);
  };
  const reason = 'Vous ne pouvez pas changer votre propre rôle.';
  return (
    <>
      <SelectField
        label={isInTable ? undefined : 'Rôle'}
        aria-label={isInTable ? `Rôle de ${nameOf(user)}` : undefined}
        title={isOwn ? reason : undefined}
        description={isOwn && !isInTable ? reason : undefined}
        data={roleChoices}
        value={role}
        disabled={isOwn || isSaving}
        error={failure}
        onChange={(event) => choose(Role.parse(event.currentTarget.value))}
      />
      {isConfirming && (
        <ConfirmDialog
          title={`Retirer les droits d’administration à ${nameOf(user)}\u202f?`}
          action="Passer en client"
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            void save('client');
          }}
        >
          <p>Ce compte ne verra plus que ses propres données, et ses sessions ouvertes seront fermées.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
