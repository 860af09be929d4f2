import type { Contract } from '@vigie/contracts/contract';

/** Who may use a route, in words. */
export function accessNote({ access, scope, grantRole }: Pick<Contract, 'access' | 'scope' | 'grantRole'>): string {
  const sentences = [
    whoMay(access, scope),
    grantRole && `Sur ce qui est partagé\u00a0: à partir du rôle \`${grantRole}\`.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function whoMay(access: Contract['access'], scope: Contract['scope']): string {
  if (access === 'public') return 'Sans authentification.';
  if (access === 'guest') return 'Sans authentification\u202f; une session en montre davantage.';
  if (access === 'ticket') return 'Sans porteur\u00a0: l’adresse contient un ticket.';
  const who = access === 'admin' ? 'Administrateurs. ' : '';
  if (access === 'bearer') return 'Session, ou jeton valide quels que soient ses droits.';
  return scope ? `${who}Session, ou jeton\u00a0: droit \`${scope}\`.` : `${who}Session seulement.`;
}
