import type { KeptFacts } from './site.entity';

/** Why a scan cannot tell where the contents of a site are. */
const ofConfiguration: readonly KeptFacts['needs_boot'][number][] = ['computed_config', 'unreadable'];

/** The folder of contents, unless a scan took it for the usual one because it could not read which one it is. */
export function contentOf(facts: Pick<KeptFacts, 'depth' | 'needs_boot' | 'content_dir'> | null): string | null {
  const isGuess = facts?.depth === 'scan' && facts.needs_boot.some((reason) => ofConfiguration.includes(reason));
  return isGuess ? null : (facts?.content_dir ?? null);
}

/** Whether nobody knows for sure what a site has: it was never read, or by a scan that could not know all. */
export const isUnsure = (facts: KeptFacts | null) =>
  facts === null || (facts.depth === 'scan' && facts.needs_boot.length > 0);
