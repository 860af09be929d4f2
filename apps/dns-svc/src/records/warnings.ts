import type { DnsDifference } from '@vigie/contracts/dns-changes';
import { maxFreeCommentLength, type RecordContent } from '@vigie/contracts/dns-records';
import type { ProviderRecord } from '../providers/provider';
import { isAddress } from './canonical';
import { isPrivateAddress } from '@vigie/service-kit/private-addresses';

/** Returns what a person should know before an accepted change is sent. */
export function warningsOf(
  { before, after }: DnsDifference,
  records: readonly ProviderRecord[],
  zoneName: string,
): string[] {
  if (after) return warningsOfState(before, after);
  return before ? warningsOfLoss(before, records, zoneName) : [];
}

function warningsOfState(before: RecordContent | null, after: RecordContent): string[] {
  const warnings: string[] = [];
  if (['A', 'AAAA'].includes(after.type) && isPrivateAddress(after.content)) {
    warnings.push('Cette adresse est privée\u00a0: elle ne répond pas depuis Internet.');
  }
  if (after.name.startsWith('*.') && after.proxied) {
    warnings.push('Tous les sous-domaines sans enregistrement passeront par le proxy de Cloudflare.');
  }
  if (after.comment !== before?.comment && (after.comment?.length ?? 0) > maxFreeCommentLength) {
    warnings.push(
      `Sur son offre gratuite, Cloudflare refuse un commentaire de plus de ${maxFreeCommentLength}\u00a0caractères.`,
    );
  }
  if (before?.proxied && !after.proxied) {
    warnings.push('Sans le proxy, l’adresse du serveur devient visible de tous.');
  }
  return warnings;
}

function warningsOfLoss(before: RecordContent, records: readonly ProviderRecord[], zoneName: string): string[] {
  const warnings: string[] = [];
  if (before.type === 'MX' && countOf(records, 'MX', before.name) === 1) {
    warnings.push('C’est le dernier MX de ce nom\u00a0: il ne recevra plus de courrier.');
  }
  if (before.name === zoneName && isLastAddress(before, records)) {
    warnings.push('Le domaine lui-même n’aura plus d’adresse\u00a0: le site ne répondra plus à ce nom.');
  }
  return warnings;
}

const countOf = (records: readonly ProviderRecord[], type: string, name: string) =>
  records.filter((record) => record.type === type && record.name === name).length;

const isLastAddress = ({ type, name }: { type: string; name: string }, records: readonly ProviderRecord[]) =>
  isAddress(type) && ['A', 'AAAA', 'CNAME'].reduce((sum, each) => sum + countOf(records, each, name), 0) === 1;
