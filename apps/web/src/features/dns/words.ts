import type { ChangeResult, recordFields } from '@vigie/contracts/dns-changes';
import type { DnsPermission } from '@vigie/contracts/dns-config';
import { automaticTtl, canBeProxied } from '@vigie/contracts/dns-content';
import type { DnsSnapshot } from '@vigie/contracts/dns-history';
import type { ChangeCounts, RecordContent } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

type StatusLabel = { tone: Tone; word: string };

const zoneStates: Readonly<Record<string, StatusLabel>> = {
  active: { tone: 'ok', word: 'Actif' },
  pending: { tone: 'warn', word: 'En attente' },
};

/** The specification shows a pause before any status, and an unknown status unchanged. */
export function stateOf({ status, paused }: Pick<DnsZone, 'status' | 'paused'>): StatusLabel {
  if (paused) return { tone: 'neutral', word: 'En pause' };
  return zoneStates[status] ?? { tone: 'neutral', word: status };
}

const ttls: Readonly<Record<number, string>> = {
  60: '1\u00a0min',
  300: '5\u00a0min',
  600: '10\u00a0min',
  1_800: '30\u00a0min',
  3_600: '1\u00a0h',
  7_200: '2\u00a0h',
  86_400: '1\u00a0jour',
};

export const spellTtl = (seconds: number): string =>
  seconds === automaticTtl ? 'Auto' : (ttls[seconds] ?? `${seconds}\u00a0s`);

export function spellProxied({ type, proxied }: Pick<RecordContent, 'type' | 'proxied'>): string {
  if (!canBeProxied(type)) return '—';
  return proxied ? 'Par Cloudflare' : 'DNS seulement';
}

/** `@` for the zone itself, else without the zone's name. */
export function spellName(name: string, zoneName: string): string {
  if (name === zoneName) return '@';
  return name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : name;
}

export type RecordField = (typeof recordFields)[number];

export const fieldLabels: Readonly<Record<RecordField, string>> = {
  type: 'Type',
  name: 'Nom',
  content: 'Contenu',
  ttl: 'TTL',
  priority: 'Priorité',
  proxied: 'Proxy',
  comment: 'Commentaire',
};

export function spellField(field: RecordField, record: RecordContent, zoneName: string): string {
  if (field === 'name') return spellName(record.name, zoneName);
  if (field === 'ttl') return spellTtl(record.ttl);
  if (field === 'proxied') return spellProxied(record);
  return record[field] === null ? '—' : String(record[field]);
}

export const permissionStates: Readonly<Record<DnsPermission['state'], StatusLabel>> = {
  granted: { tone: 'ok', word: 'Accordée' },
  missing: { tone: 'danger', word: 'Manquante' },
  unknown: { tone: 'neutral', word: 'Inconnue' },
};

export function spellCounts({ added, changed, removed }: ChangeCounts): string {
  const parts = [
    added > 0 && plural(added, 'ajouté', 'ajoutés'),
    changed > 0 && plural(changed, 'modifié', 'modifiés'),
    removed > 0 && plural(removed, 'supprimé', 'supprimés'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'aucun changement' : parts.join(', ');
}

const reasons: Readonly<Record<DnsSnapshot['reason'], string>> = {
  first: 'Premier état lu par Vigie',
  write: 'Enregistrement modifié',
  bulk: 'Modification groupée',
  import: 'Import d’un fichier de zone',
  revert: 'Retour à un état antérieur',
  look: 'Changement constaté chez Cloudflare',
};

function summaryOf({ added, changed, removed }: ChangeCounts): string {
  if (added > 0 && changed + removed === 0) return 'Enregistrement ajouté';
  return removed > 0 && added + changed === 0 ? 'Enregistrement supprimé' : reasons.write;
}

export function originOf({ reason, actor_name: actor, counts }: Pick<DnsSnapshot, 'reason' | 'actor_name' | 'counts'>) {
  const summary = reason === 'write' ? summaryOf(counts) : reasons[reason];
  return actor === null ? summary : `${summary} par ${actor}`;
}

export const resultStates: Readonly<Record<ChangeResult['state'], string>> = {
  done: 'Fait',
  refused: 'Refusé par Cloudflare',
  waiting: 'Pas encore commencé',
  unknown: 'Résultat inconnu\u00a0: regardez la zone avant de recommencer',
};
