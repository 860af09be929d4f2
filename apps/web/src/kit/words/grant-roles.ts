import { type GrantRole, grantRoles } from '@vigie/contracts/grant-roles';

const words: Record<GrantRole, { label: string; about: string }> = {
  viewer: { label: 'Lecture', about: 'Voit tout, ne change rien.' },
  operator: { label: 'Exploitation', about: 'Met à jour, sauvegarde et restaure.' },
  manager: { label: 'Gestion', about: 'En plus\u00a0: renomme, range, supprime et partage.' },
};

const isGrantRole = (role: string): role is GrantRole => role in words;

/** Undefined for a role that this release does not know. */
export const grantRoleLabel = (role: string): string | undefined => (isGrantRole(role) ? words[role].label : undefined);

export const aboutGrantRole = (role: string): string | undefined => (isGrantRole(role) ? words[role].about : undefined);

export const grantRoleChoices = grantRoles.map((role) => ({ value: role, label: words[role].label }));
