import type { GrantRole } from '@vigie/contracts/grant-roles';

const labels: Readonly<Record<string, string>> = {
  viewer: 'Lecture',
  operator: 'Exploitation',
  manager: 'Gestion',
} satisfies Record<GrantRole, string>;

/** Undefined for a role that this release does not know. */
export const grantRoleLabel = (role: string): string | undefined => labels[role];
