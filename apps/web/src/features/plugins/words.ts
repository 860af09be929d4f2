import type { Diagnosis, PluginItem, PluginSort } from '@vigie/contracts/plugins';
import { plural, formatNumber } from '../../ui/plural';

export const sortLabels: Readonly<Record<PluginSort, string>> = {
  updates_desc: 'Par mises à jour',
  sites_desc: 'Par sites',
  name_asc: 'Par nom',
};

export const spellTotals = (total: number, updates: number): string =>
  [plural(total, 'plugin', 'plugins'), plural(updates, 'mise à jour', 'mises à jour')].join(' · ');

/** "12 sites lus sur 14, 2 en échec". */
export function spellDiagnosis({
  sites_total: total,
  sites_scanned: scanned,
  sites_failed: failed,
}: Diagnosis): string {
  const scannedSites =
    scanned === total
      ? plural(total, 'site lu', 'sites lus')
      : `${plural(scanned, 'site lu', 'sites lus')} sur ${formatNumber(total)}`;
  return failed > 0 ? `${scannedSites}, ${formatNumber(failed)} en échec` : scannedSites;
}

type UpdateCounts = Pick<PluginItem, 'sites_count' | 'updates_count' | 'blocked_count' | 'sites'>;

/**
 * Whether any site can take the update without a licence. Two plugins in one folder are two updates of one site:
 * where the list has all sites with an update, it is more precise than the counts.
 */
export function canUpdate({ sites_count: count, updates_count: updates, blocked_count: blocked, sites }: UpdateCounts) {
  const hasAllUpdates = sites.length >= count || sites.some(({ hasUpdate }) => !hasUpdate);
  if (hasAllUpdates) return sites.some(({ hasUpdate, blockedByLicense }) => hasUpdate && !blockedByLicense);
  return updates > blocked;
}

type Versions = Pick<PluginItem, 'versions' | 'versions_count'>;

/** "1.3 (40 sites), inconnue (1 site) et 2 autres". */
export function spellVersions({ versions, versions_count: count }: Versions): string {
  const shown = versions.map(
    ({ version, sites_count: sites }) => `${version ?? 'inconnue'} (${plural(sites, 'site', 'sites')})`,
  );
  const others = count - versions.length;
  return shown.join(', ') + (others > 0 ? ` et ${plural(others, 'autre', 'autres')}` : '');
}

/** "1.2 → 1.3"; an unknown version is shown as "?". */
export function spellStep(site: { version: string | null; hasUpdate: boolean; new_version: string | null }): string {
  if (!site.hasUpdate) return site.version ?? '—';
  return `${site.version ?? '?'} → ${site.new_version ?? 'plus récente'}`;
}
