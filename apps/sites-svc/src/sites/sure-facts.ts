import type { KeptFacts } from './site.entity';

/** Why a scan cannot tell where the contents of a site are. */
const ofConfiguration: readonly KeptFacts['needs_boot'][number][] = ['computed_config', 'unreadable'];

/** The folder of contents, unless a scan took it for the usual one because it could not read which one it is. */
export function contentOf(facts: Pick<KeptFacts, 'depth' | 'needs_boot' | 'content_dir'> | null): string | null {
  const isGuess = facts?.depth === 'scan' && facts.needs_boot.some((reason) => ofConfiguration.includes(reason));
  return isGuess ? null : (facts?.content_dir ?? null);
}
