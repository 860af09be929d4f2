import { aboutGrantRole, grantRoleChoices } from '../../kit/words/grant-roles';
import { SelectField } from '../../ui/SelectField';

type Props = { value: string; onChange: (role: string) => void };

/** Chooses a role, and says what it allows. */
export const RoleChoice = ({ value, onChange }: Props) => (
  <SelectField
    label="Rôle"
    data={grantRoleChoices}
    description={aboutGrantRole(value)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
