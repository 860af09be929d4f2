import type { GrantRole } from '@vigie/contracts/grant-roles';

const labels: Record<GrantRole, string> = { viewer: 'Lecture', operator: 'Exploitation', manager: 'Gestion' };

const isGrantRole = (role: string): role is GrantRole => role in labels;

/** Undefined for a role that this release does not know. */
export const grantRoleLabel = (role: string): string | undefined => (isGrantRole(role) ? labels[role] : undefined);
