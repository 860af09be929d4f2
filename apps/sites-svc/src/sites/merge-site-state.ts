import type { UpdateCheck, Extension, SiteState } from '@vigie/contracts/inventory';
import type { StoredSiteState } from './site.entity';

type Checks = SiteState['checks'];

/** `extensions` is null when the stored ones stay. */
export type MergedState = { state: StoredSiteState; extensions: readonly Extension[] | null };

/** Problems that only an inspection detects: it runs again once a scan sees another mark. */
const bootProblems = ['fatal', 'ended_early', 'timeout'];

/** Keeps what only an inspection can know when a scan, which reads files and tables, cannot see the whole site. */
export function mergeSiteState({ extensions, ...reported }: SiteState, stored: StoredSiteState | null): MergedState {
  if (stored === null) return { state: reported, extensions };
  const problem = mergeProblem(reported, stored);
  const storedChecks = stored.problem && !problem ? withoutErrors(stored.checks) : stored.checks;
  // A failed or skipped update check carries no date of the last success: the stored date stays.
  const checks = mergeChecks(reported.checks, storedChecks);
  if (reported.depth === 'inspect') return { state: { ...reported, checks }, extensions };
  const isIncomplete = reported.needs_boot.length > 0 || reported.problem !== null;
  if (stored.depth === 'inspect' && isIncomplete) {
    const { read_at, mark, is_composer, forbids_changes, needs_boot } = reported;
    const owner = reported.owner ?? stored.owner;
    const core = mergeCore(reported.core, stored.core);
    const state = { ...stored, read_at, mark, is_composer, forbids_changes, needs_boot, owner, core, problem };
    return { state: { ...state, checks: storedChecks }, extensions: null };
  }
  return { state: { ...reported, problem, checks }, extensions };
}

/** A scan that sees the same files as before cannot see whether WordPress starts now. */
function mergeProblem(reported: Omit<SiteState, 'extensions'>, stored: StoredSiteState): SiteState['problem'] {
  if (reported.depth === 'inspect' || reported.problem) return reported.problem;
  const isSame = reported.mark !== null && reported.mark === stored.mark;
  const isHiddenFromScan = stored.problem !== null && bootProblems.includes(stored.problem.kind) && isSame;
  return isHiddenFromScan ? stored.problem : null;
}

/** A check that failed because the site did not start says nothing about a site that starts again. */
const withoutErrors = ({ core, plugins, themes }: Checks): Checks => ({
  core: { ...core, error: null },
  plugins: { ...plugins, error: null },
  themes: { ...themes, error: null },
});

const byVersion = new Intl.Collator('en', { numeric: true });

/** Drops an offered version that has been installed since. */
function mergeCore(reported: SiteState['core'], stored: SiteState['core']): SiteState['core'] {
  const version = reported.version ?? stored.version;
  const isInstalled =
    version !== null && stored.new_version !== null && byVersion.compare(version, stored.new_version) >= 0;
  return { ...stored, version, ...(isInstalled && { hasUpdate: false, new_version: null }) };
}

const mergeChecks = (reported: Checks, stored: Checks): Checks => ({
  core: mergeCheck(reported.core, stored.core),
  plugins: mergeCheck(reported.plugins, stored.plugins),
  themes: mergeCheck(reported.themes, stored.themes),
});

/** An error of the newest check stays until a check succeeds. */
function mergeCheck(reported: UpdateCheck, stored: UpdateCheck): UpdateCheck {
  const isNewer =
    reported.checked_at !== null && (stored.checked_at === null || reported.checked_at > stored.checked_at);
  return {
    checked_at: reported.checked_at ?? stored.checked_at,
    error: reported.error ?? (isNewer ? null : stored.error),
  };
}
