import type { ProposalItem, ProposalLine, ProposalState } from '@vigie/contracts/proposals';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

export function titleOf({ order, sites, lines }: Pick<ProposalItem, 'order' | 'sites' | 'lines'>): string {
  const where = plural(sites, 'site', 'sites');
  if (order === 'updates') return `Mettre à jour ${plural(lines, 'élément', 'éléments')} sur ${where}`;
  return order === 'backups' ? `Sauvegarder ${where}` : 'Restaurer un site';
}

const states: Readonly<Record<ProposalState, { tone: Tone; word: string }>> = {
  open: { tone: 'warn', word: 'À confirmer' },
  confirmed: { tone: 'ok', word: 'Exécutée' },
  refused: { tone: 'danger', word: 'Plus valable' },
  rejected: { tone: 'neutral', word: 'Refusée' },
  expired: { tone: 'neutral', word: 'Expirée' },
};

/** An open proposal expires on the screen too, although nothing has read it since. */
export const stateOf = ({ state, expires_at: at }: Pick<ProposalItem, 'state' | 'expires_at'>, now: Date) =>
  state === 'open' && Date.parse(at) <= now.getTime() ? ('expired' as const) : state;

export const describeState = (state: ProposalState) => states[state];

const minuteMs = 60_000;

export const timeLeft = (expiresAt: string, now: Date): string =>
  `Valable encore ${plural(Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / minuteMs)), 'minute', 'minutes')}.`;

export const proposedBy = ({ name, token }: ProposalItem['proposed_by']): string =>
  token === null ? `Proposée par ${name}` : `Proposée avec le jeton «\u00a0${token}\u00a0» de ${name}`;

/** What an item is: its own name may say anything. */
export const kindWords = { core: 'cœur', plugin: 'plugin', theme: 'thème' } as const;

export type SiteLines = { id: string; name: string; url: string | null; lines: ProposalLine[] };

/** Keeps the order of the plan. */
export function groupBySite(plan: readonly ProposalLine[]): SiteLines[] {
  const sites = new Map<string, SiteLines>();
  for (const line of plan) {
    const site = sites.get(line.site_id) ?? { id: line.site_id, name: line.site_name, url: line.site_url, lines: [] };
    site.lines.push(line);
    sites.set(line.site_id, site);
  }
  return [...sites.values()];
}

/** "1.0 → 1.1"; nothing where versions mean nothing. */
export const versionsOf = ({ from, to }: Pick<ProposalLine, 'from' | 'to'>): string =>
  from === null && to === null ? '' : `${from ?? '?'} → ${to ?? 'nouvelle version'}`;
