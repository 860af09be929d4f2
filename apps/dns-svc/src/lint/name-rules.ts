import { isIP } from 'node:net';
import type { DnsFinding } from '@vigie/contracts/dns-lint';
import type { ProviderRecord } from '../providers/provider';
import { isAddress, recordKey } from '../records/canonical';
import { finding, groupBy, ofType, type ZoneToLint } from './rules';

export const lintNames = (zone: ZoneToLint): DnsFinding[] => [
  ...lintDuplicates(zone),
  ...lintAliases(zone),
  ...lintExchangers(zone),
];

const lintDuplicates = (zone: ZoneToLint): DnsFinding[] =>
  groupBy(zone.records, recordKey)
    .filter((group) => group.length > 1)
    .map((group) =>
      finding(zone, 'duplicate', 'warning', group, {
        message: `Cet enregistrement existe ${group.length}\u00a0fois.`,
        remedy: 'Gardez-en un seul.',
      }),
    );

function lintAliases(zone: ZoneToLint): DnsFinding[] {
  return ofType(zone, 'CNAME').flatMap((record) => {
    const siblings = zone.records.filter(({ name, id }) => name === record.name && id !== record.id);
    const findings: DnsFinding[] = [];
    const hasAddress = siblings.some(({ type }) => isAddress(type));
    // Cloudflare flattens the zone’s own CNAME, and a proxied one answers with addresses: neither hides other records.
    if (hasAddress || (siblings.length > 0 && record.name !== zone.name && !record.proxied)) {
      findings.push(
        finding(zone, 'cname_beside', hasAddress ? 'error' : 'warning', [record, ...siblings], {
          message:
            'Un CNAME doit être seul à son nom\u00a0: les autres enregistrements de ce nom ne répondent pas toujours.',
          remedy: 'Retirez le CNAME ou les autres.',
        }),
      );
    }
    if (record.content === record.name) {
      findings.push(finding(zone, 'cname_loop', 'error', [record], { message: 'Ce CNAME pointe vers lui-même.' }));
    } else if (isInZone(zone, record.content) && namesOf(zone, record.content).length === 0) {
      findings.push(
        finding(zone, 'cname_dangling', 'warning', [record], {
          message: `Ce CNAME pointe vers ${record.content}, qui n’existe pas dans la zone.`,
          remedy: 'Créez ce nom, ou corrigez la cible.',
        }),
      );
    }
    return findings;
  });
}

function lintExchangers(zone: ZoneToLint): DnsFinding[] {
  const all = ofType(zone, 'MX');
  const refusals = groupBy(all, ({ name }) => name).filter(
    (group) => group.length > 1 && group.some(({ content }) => content === '.'),
  );
  return [
    ...refusals.map((group) =>
      finding(zone, 'mx_null_beside', 'error', group, {
        message:
          'Le MX «\u00a0.\u00a0» indique que ce nom ne reçoit pas de courrier, mais d’autres MX indiquent le contraire.',
        remedy: 'Gardez soit le MX «\u00a0.\u00a0», soit les autres.',
      }),
    ),
    ...all.flatMap((record) => lintTarget(zone, record)),
  ];
}

function lintTarget(zone: ZoneToLint, record: ProviderRecord): DnsFinding[] {
  const { content } = record;
  if (isIP(content) !== 0) {
    const message =
      'Un MX doit pointer vers un nom, pas vers une adresse\u00a0: les expéditeurs ne peuvent pas le suivre.';
    return [finding(zone, 'mx_address', 'error', [record], { message, remedy: 'Donnez le nom du serveur.' })];
  }
  if (content === '.' || !isInZone(zone, content)) return [];
  const targets = namesOf(zone, content);
  if (targets.some(({ type }) => type === 'CNAME')) {
    const message = `Ce MX pointe vers ${content}, qui est un CNAME\u00a0: beaucoup de serveurs le refusent.`;
    return [
      finding(zone, 'mx_cname', 'error', [record], {
        message,
        remedy: 'Faites-le pointer vers un nom qui a une adresse.',
      }),
    ];
  }
  const addresses = targets.filter(({ type }) => type === 'A' || type === 'AAAA');
  if (addresses.length === 0) {
    const message = `Ce MX pointe vers ${content}, qui n’a pas d’adresse\u00a0: aucun courrier n’arrive.`;
    return [finding(zone, 'mx_unknown', 'error', [record], { message, remedy: 'Créez un A ou un AAAA pour ce nom.' })];
  }
  if (addresses.every(({ proxied }) => proxied)) {
    const message = `Ce MX pointe vers ${content}, qui passe par le proxy\u00a0: Cloudflare publie alors un autre nom, qui révèle l’adresse du serveur.`;
    const remedy = 'Donnez au courrier son propre nom, sans proxy.';
    return [finding(zone, 'mx_proxied', 'warning', [record], { message, remedy })];
  }
  return [];
}

const isInZone = (zone: ZoneToLint, name: string) => name === zone.name || name.endsWith(`.${zone.name}`);

/** Returns the records of a name, or of the wildcard that covers it. */
function namesOf(zone: ZoneToLint, name: string): ProviderRecord[] {
  const exact = zone.records.filter((record) => record.name === name);
  if (exact.length > 0) return exact;
  const parents = name.split('.').map((_, at, labels) => `*.${labels.slice(at + 1).join('.')}`);
  return zone.records.filter((record) => parents.includes(record.name));
}
