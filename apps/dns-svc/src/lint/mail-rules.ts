import type { DnsFinding } from '@vigie/contracts/dns-lint';
import type { ProviderRecord } from '../providers/provider';
import { finding, groupBy, ofType, receivesMail, type ZoneToLint } from './rules';

const isSpf = ({ content }: ProviderRecord) => /^v=spf1(?:\s|$)/i.test(content);
const isDmarc = ({ content }: ProviderRecord) => /^v=DMARC1\s*(?:;|$)/i.test(content);

export const lintMail = (zone: ZoneToLint): DnsFinding[] => [...lintSpf(zone), ...lintDmarc(zone), ...lintDkim(zone)];

function lintSpf(zone: ZoneToLint): DnsFinding[] {
  const all = ofType(zone, 'TXT').filter(isSpf);
  const duplicates = groupBy(all, ({ name }) => name).filter((group) => group.length > 1);
  const missing = receivesMail(zone) && !all.some(({ name }) => name === zone.name);
  return [
    ...duplicates.map((group) =>
      finding(zone, 'spf_two', 'error', group, {
        message: `Ce nom a ${group.length}\u00a0enregistrements SPF\u00a0: les destinataires les ignorent tous.`,
        remedy: 'Réunissez-les en un seul.',
      }),
    ),
    ...(missing
      ? [
          finding(zone, 'spf_missing', 'warning', zone.name, {
            message:
              'Ce domaine reçoit du courrier et n’a pas de SPF\u00a0: ses messages passent pour des indésirables.',
            remedy:
              'Ajoutez un TXT comme «\u00a0v=spf1 mx -all\u00a0», complété par les serveurs qui envoient pour vous.',
          }),
        ]
      : []),
    ...all.flatMap((record) => lintOneSpf(zone, record)),
  ];
}

const mechanism =
  /^[+?~-]?(?:all|(?:include|exists):\S+|(?:a|mx)(?::\S+)?(?:\/\d+)?(?:\/\/\d+)?|ptr(?::\S+)?|ip4:[\d.]+(?:\/\d+)?|ip6:[\da-f:.]+(?:\/\d+)?)$/i;
const modifier = /^(?:redirect|exp|[a-z][\w.-]*)=\S*$/i;
const needsLookup = /^[+?~-]?(?:include:|exists:|a(?:$|[:/])|mx(?:$|[:/])|ptr)|^redirect=/i;
const maxLookups = 10;

function lintOneSpf(zone: ZoneToLint, record: ProviderRecord): DnsFinding[] {
  const terms = record.content.trim().split(/\s+/).slice(1);
  const findings: DnsFinding[] = [];
  const unknownTerms = terms.filter((term) => !mechanism.test(term) && !modifier.test(term));
  if (unknownTerms.length > 0) {
    findings.push(
      finding(zone, 'spf_syntax', 'error', [record], {
        message: `Ce SPF contient «\u00a0${unknownTerms[0]}\u00a0», un mot inconnu\u00a0: les destinataires l’ignorent en entier.`,
        remedy: 'Corrigez ou retirez ce mot.',
      }),
    );
  }
  const lookups = terms.filter((term) => needsLookup.test(term)).length;
  if (lookups > maxLookups) {
    findings.push(
      finding(zone, 'spf_lookups', 'error', [record], {
        message: `Ce SPF demande au moins ${lookups}\u00a0recherches DNS\u00a0: au-delà de ${maxLookups}, il est ignoré.`,
        remedy: 'Retirez les services qui n’envoient plus pour vous, ou remplacez-les par leurs adresses.',
      }),
    );
  }
  return [...findings, ...lintEnd(zone, record, terms)];
}

function lintEnd(zone: ZoneToLint, record: ProviderRecord, terms: readonly string[]): DnsFinding[] {
  const all = terms.find((term) => /^[+?~-]?all$/i.test(term));
  const remedy = 'Terminez par «\u00a0-all\u00a0», ou «\u00a0~all\u00a0» le temps d’un essai.';
  if (all !== undefined && /^\+?all$/i.test(all)) {
    const message = 'Ce SPF laisse tout le monde envoyer au nom de ce domaine.';
    return [finding(zone, 'spf_open', 'error', [record], { message, remedy })];
  }
  if (all?.startsWith('?')) {
    const message = 'Ce SPF ne refuse aucun autre expéditeur (?all).';
    return [finding(zone, 'spf_neutral', 'warning', [record], { message, remedy })];
  }
  if (all === undefined && !terms.some((term) => /^redirect=/i.test(term))) {
    const message = 'Ce SPF ne se termine pas par «\u00a0all\u00a0»\u00a0: les autres expéditeurs ne sont pas refusés.';
    return [finding(zone, 'spf_endless', 'warning', [record], { message, remedy })];
  }
  return [];
}

/** Includes the records by which a domain accepts the reports of another (RFC 7489, 7.1). */
const isDmarcName = (name: string) => name.startsWith('_dmarc.') || name.includes('._report._dmarc.');

function lintDmarc(zone: ZoneToLint): DnsFinding[] {
  const dmarcName = `_dmarc.${zone.name}`;
  const texts = ofType(zone, 'TXT');
  const dmarcRecords = texts.filter((record) => record.name === dmarcName && isDmarc(record));
  const misplaced = texts.filter(({ name }) => !isDmarcName(name)).filter(isDmarc);
  const delegated = zone.records.some(({ name, type }) => name === dmarcName && (type === 'CNAME' || type === 'NS'));
  const findings = misplaced.map((record) =>
    finding(zone, 'dmarc_strayed', 'error', [record], {
      message: 'Ce DMARC n’est pas à sa place\u00a0: personne ne le lit.',
      remedy: 'Mettez-le au nom «\u00a0_dmarc\u00a0».',
    }),
  );
  if (dmarcRecords.length === 0 && !delegated && receivesMail(zone)) {
    findings.push(
      finding(zone, 'dmarc_missing', 'warning', dmarcName, {
        message: 'Ce domaine n’a pas de DMARC\u00a0: n’importe qui peut écrire en son nom.',
        remedy: 'Ajoutez un TXT au nom «\u00a0_dmarc\u00a0», comme «\u00a0v=DMARC1; p=quarantine\u00a0».',
      }),
    );
  }
  if (dmarcRecords.length > 1) {
    findings.push(
      finding(zone, 'dmarc_two', 'error', dmarcRecords, {
        message: 'Ce domaine a plusieurs DMARC\u00a0: les destinataires les ignorent tous.',
        remedy: 'Gardez-en un seul.',
      }),
    );
  }
  return [...findings, ...dmarcRecords.flatMap((record) => lintPolicy(zone, record))];
}

function lintPolicy(zone: ZoneToLint, record: ProviderRecord): DnsFinding[] {
  const policy = /(?:^|;)\s*p\s*=\s*(\w*)/i.exec(record.content)?.[1]?.toLowerCase();
  if (policy === 'reject' || policy === 'quarantine') return [];
  if (policy === 'none') {
    return [
      finding(zone, 'dmarc_none', 'info', [record], {
        message: 'Ce DMARC observe sans rien refuser (p=none).',
        remedy: 'Passez à «\u00a0p=quarantine\u00a0» une fois que les rapports ne montrent plus d’expéditeur oublié.',
      }),
    ];
  }
  return [
    finding(zone, 'dmarc_syntax', 'error', [record], {
      message: 'Ce DMARC ne dit pas que faire (p=none, quarantine ou reject)\u00a0: il est ignoré.',
      remedy: 'Ajoutez par exemple «\u00a0p=quarantine\u00a0».',
    }),
  ];
}

function lintDkim(zone: ZoneToLint): DnsFinding[] {
  const keys = zone.records.filter(({ name }) => name.includes('._domainkey.'));
  if (keys.length === 0) {
    if (!receivesMail(zone)) return [];
    return [
      finding(zone, 'dkim_missing', 'info', `_domainkey.${zone.name}`, {
        message: 'Aucune clé DKIM n’est publiée ici\u00a0: les messages de ce domaine ne sont peut-être pas signés.',
        remedy: 'Activez DKIM chez votre fournisseur de courrier, puis publiez la clé qu’il donne.',
      }),
    ];
  }
  return keys.filter(({ type }) => type === 'TXT').flatMap((record) => lintKey(zone, record));
}

function lintKey(zone: ZoneToLint, record: ProviderRecord): DnsFinding[] {
  const key = /(?:^|;)\s*p\s*=([^;]*)/i.exec(record.content)?.[1]?.replaceAll(/\s/g, '');
  if (key === '') {
    return [finding(zone, 'dkim_revoked', 'info', [record], { message: 'Cette clé DKIM est révoquée (p= vide).' })];
  }
  if (key !== undefined && /^[A-Za-z0-9+/]{40,}={0,2}$/.test(key)) return [];
  return [
    finding(zone, 'dkim_syntax', 'error', [record], {
      message: 'Cette clé DKIM est illisible\u00a0: les signatures qui s’y réfèrent sont refusées.',
      remedy: 'Copiez-la de nouveau, en entier, depuis votre fournisseur de courrier.',
    }),
  ];
}
