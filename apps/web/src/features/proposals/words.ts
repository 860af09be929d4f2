import type { ProposalItem, ProposalLine, ProposalState } from '@vigie/contracts/proposals';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

const states: Readonly<Record<ProposalState, { tone: Tone; word: string }>> = {
  open: { tone: 'warn', word: 'À confirmer' },
  confirmed: { tone: 'info', word: 'Confirmée' },
  unknown: { tone: 'warn', word: 'Issue inconnue' },
  refused: { tone: 'danger', word: 'Plus valable' },
  rejected: { tone: 'neutral', word: 'Refusée' },
  expired: { tone: 'neutral', word: 'Expirée' },
};

const secondMs = 1_000;

type Lifetime = Pick<ProposalItem, 'state' | 'seconds_left'>;

/** An open proposal expires on the screen too, so long after the answer that said how long it is open. */
export const stateOf = ({ state, seconds_left: left }: Lifetime, ageMs: number) =>
  state === 'open' && ageMs >= left * secondMs ? ('expired' as const) : state;

export const describeState = (state: ProposalState) => states[state];

/** What stands above the plan: once somebody has decided, nothing of it is to come. */
export function planTitle(state: ProposalState): string {
  if (state === 'open') return 'Ce qui sera fait';
  return state === 'confirmed' || state === 'unknown' ? 'Ce qui a été demandé' : 'Ce qui était proposé';
}

const minuteMs = 60_000;

export function timeLeft({ seconds_left: left }: Pick<ProposalItem, 'seconds_left'>, ageMs: number): string {
  const minutes = Math.max(1, Math.ceil((left * secondMs - ageMs) / minuteMs));
  return `Valable encore ${plural(minutes, 'minute', 'minutes')}.`;
}

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
