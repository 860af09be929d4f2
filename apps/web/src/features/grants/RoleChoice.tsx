import { type GrantRole, grantRoles } from '@vigie/contracts/grant-roles';
import { SelectField } from '../../ui/SelectField';
import { grantRoleChoices } from './words';

const about: Record<GrantRole, string> = {
  viewer: 'Voit tout, ne change rien.',
  operator: 'Met à jour, sauvegarde et restaure.',
  manager: 'En plus\u00a0: renomme, range, supprime et partage.',
};

type Props = { value: GrantRole; onChange: (role: GrantRole) => void };

/** Chooses a role, and says what it allows. */
export const RoleChoice = ({ value, onChange }: Props) => (
  <SelectField
    label="Rôle"
    data={grantRoleChoices}
    description={about[value]}
    value={value}
    onChange={(event) => onChange(grantRoles.find((role) => role === event.currentTarget.value) ?? value)}
  />
);
