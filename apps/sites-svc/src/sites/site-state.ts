import type { StoredSiteState } from './site.entity';

/** Reasons why a scan cannot read where wp-content is. */
const unreadableConfig: readonly StoredSiteState['needs_boot'][number][] = ['computed_config', 'unreadable'];

/** Null when a scan could not read the configuration: the default folder would be a guess. */
export function contentFolderOf(
  state: Pick<StoredSiteState, 'depth' | 'needs_boot' | 'content_dir'> | null,
): string | null {
  const isGuess = state?.depth === 'scan' && state.needs_boot.some((reason) => unreadableConfig.includes(reason));
  return isGuess ? null : (state?.content_dir ?? null);
}

/** True for a site that was never read, or only by a scan that needs an inspection to complete it. */
export const isUncertain = (state: StoredSiteState | null) =>
  state === null || (state.depth === 'scan' && state.needs_boot.length > 0);
