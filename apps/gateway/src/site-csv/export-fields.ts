import { siteHeads } from '@vigie/contracts/site-csv-file';
import type { SiteExportLine } from '@vigie/contracts/site-csv';
import type { SiteStatus } from '@vigie/contracts/sites';

/** The columns that an import reads, then what Vigie knows of the site. */
export const exportHeads = [
  ...siteHeads,
  'statut',
  'raisons',
  'http',
  'wordpress',
  'php',
  'mises à jour',
  'dernière sauvegarde',
  'lu le',
];

const statuses: Record<SiteStatus, string> = { ok: 'OK', warning: 'Attention', error: 'Erreur', unknown: 'N/A' };

const text = (value: string | number | null) => String(value ?? '');

export const exportFields = (line: SiteExportLine): string[] => [
  line.name,
  line.url,
  line.groups,
  ...[line.server, line.host, line.port, line.user, line.path].map(text),
  statuses[line.status],
  line.reasons.join(' '),
  ...[line.http, line.wordpress, line.php, line.updates, line.last_backup_at, line.read_at].map(text),
];
