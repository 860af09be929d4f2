import { grantRoles } from '@vigie/contracts/grant-roles';
import { grantRoleLabel } from '../../kit/words/grant-roles';
import { plural } from '../../ui/plural';

export const grantRoleChoices = grantRoles.map((role) => ({ value: role, label: grantRoleLabel(role) ?? role }));

const list = new Intl.ListFormat('fr-FR');

/** "2 groupes et 1 site sont partagés avec Zoé (Lecture)." */
export function sharedSentence(targets: readonly { kind: 'site' | 'group' }[], name: string, role: string): string {
  const groups = targets.filter(({ kind }) => kind === 'group').length;
  const sites = targets.length - groups;
  const what = list.format([
    ...(groups > 0 ? [plural(groups, 'groupe', 'groupes')] : []),
    ...(sites > 0 ? [plural(sites, 'site', 'sites')] : []),
  ]);
  const verb = targets.length > 1 ? 'sont partagés' : 'est partagé';
  return `${what} ${verb} avec ${name} (${grantRoleLabel(role)}).`;
}
