import type { UpdateCheck, Extension, SiteFacts } from '@vigie/contracts/inventory';
import type { KeptFacts } from './site.entity';

type Checks = SiteFacts['checks'];

/** What a look left that read files and tables, on top of what WordPress itself had said before. */
export type Merged = { facts: KeptFacts; extensions: readonly Extension[] | null };

/** Only WordPress itself can tell; it is asked again once something changes there. */
const saidByBoot = ['fatal', 'ended_early', 'timeout'];

/**
 * A scan never overwrites what an inspection knows better: where files and tables do not tell the whole, it adds what they
 * do tell. `extensions` null: those that are known stay.
 */
export function mergeFacts({ extensions, ...seen }: SiteFacts, known: KeptFacts | null): Merged {
  if (known === null) return { facts: seen, extensions };
  // Of a check that failed, or was not made, no look says when it last succeeded.
  const checks = mergeChecks(seen.checks, known.checks);
  if (seen.depth === 'inspect') return { facts: { ...seen, checks }, extensions };
  const isSame = seen.mark !== null && seen.mark === known.mark;
  const isLost = known.problem !== null && saidByBoot.includes(known.problem.kind) && isSame;
  const problem = seen.problem ?? (isLost ? known.problem : null);
  const knowsLess = seen.needs_boot.length > 0 || seen.problem !== null;
  if (known.depth === 'inspect' && knowsLess) {
    const { read_at, mark, is_composer, forbids_changes, needs_boot } = seen;
    const owner = seen.owner ?? known.owner;
    const core = coreNow(seen.core, known.core);
    return {
      facts: { ...known, read_at, mark, is_composer, forbids_changes, needs_boot, owner, core, problem },
      extensions: null,
    };
  }
  return { facts: { ...seen, problem, checks }, extensions };
}

const byVersion = new Intl.Collator('en', { numeric: true });

/** An offer of what is installed meanwhile is none. */
function coreNow(seen: SiteFacts['core'], known: SiteFacts['core']): SiteFacts['core'] {
  const version = seen.version ?? known.version;
  const isTaken = version !== null && known.new_version !== null && byVersion.compare(version, known.new_version) >= 0;
  return { ...known, version, ...(isTaken && { hasUpdate: false, new_version: null }) };
}

const mergeChecks = (seen: Checks, known: Checks): Checks => ({
  core: mergeCheck(seen.core, known.core),
  plugins: mergeCheck(seen.plugins, known.plugins),
  themes: mergeCheck(seen.themes, known.themes),
});

/** Why the newest check told nothing holds until one succeeds. */
function mergeCheck(seen: UpdateCheck, known: UpdateCheck): UpdateCheck {
  const isNewer = seen.checked_at !== null && (known.checked_at === null || seen.checked_at > known.checked_at);
  return { checked_at: seen.checked_at ?? known.checked_at, error: seen.error ?? (isNewer ? null : known.error) };
}
