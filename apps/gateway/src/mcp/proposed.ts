import type { Input } from '@vigie/contracts/contract';
import type { createProposal } from '@vigie/contracts/proposals';

/** What a tool proposes: the order's input, and the plan that is shown. */
export type Proposed = Omit<Input<typeof createProposal>, 'reason' | 'named_site_ids'> & { named_site_ids?: string[] };

/** The fields of a line that is about no item, and whose order is possible. */
export const noItem = { kind: null, slug: null, site_url: null, from: null, to: null, made_at: null, refusal: null };
