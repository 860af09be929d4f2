import type { Diagnosis, PluginItem, PluginSort } from '@vigie/contracts/plugins';
import { plural, spellNumber } from '../../ui/plural';

export const sortLabels: Readonly<Record<PluginSort, string>> = {
  updates_desc: 'Par mises à jour',
  sites_desc: 'Par sites',
  name_asc: 'Par nom',
};

/** "30 plugins · 176 mises à jour". */
export const spellTotals = (total: number, updates: number): string =>
  [plural(total, 'plugin', 'plugins'), plural(updates, 'mise à jour', 'mises à jour')].join(' · ');

/** "12 sites lus sur 14, 2 en échec": how far what is shown can be believed. */
export function spellDiagnosis({
  sites_total: total,
  sites_scanned: scanned,
  sites_failed: failed,
}: Diagnosis): string {
  const read =
    scanned === total
      ? plural(total, 'site lu', 'sites lus')
      : `${plural(scanned, 'site lu', 'sites lus')} sur ${spellNumber(total)}`;
  return failed > 0 ? `${read}, ${spellNumber(failed)} en échec` : read;
}

type Waiting = Pick<PluginItem, 'sites_count' | 'updates_count' | 'blocked_count' | 'sites'>;

/**
 * There is a site where its update waits for nothing but being asked for. Two plugins in one folder are two updates
 * of one site: where all sites with an update are known, they tell more than the counts.
 */
export function canUpdate({ sites_count: count, updates_count: updates, blocked_count: blocked, sites }: Waiting) {
  const isKnown = sites.length >= count || sites.some(({ hasUpdate }) => !hasUpdate);
  if (isKnown) return sites.some(({ hasUpdate, blockedByLicense }) => hasUpdate && !blockedByLicense);
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

/** "1.2 → 1.3"; what nobody knows is not made up. */
export function spellStep(site: { version: string | null; hasUpdate: boolean; new_version: string | null }): string {
  if (!site.hasUpdate) return site.version ?? '—';
  return `${site.version ?? '?'} → ${site.new_version ?? 'plus récente'}`;
}
