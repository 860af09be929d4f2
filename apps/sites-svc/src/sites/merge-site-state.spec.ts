import { expect, it } from 'vitest';
import type { SiteState } from '@vigie/contracts/inventory';
import { mergeSiteState } from './merge-site-state';
import type { StoredSiteState } from './site.entity';

const unchecked = { checked_at: null, error: null };
const problem = { kind: 'fatal', message: '', file: null, line: null, culprit: null } as const;
const notStarted = { checked_at: '2026-11-01T08:00:00.000Z', error: 'WordPress ne démarre pas' };
const checksOf = (check: SiteState['checks']['core']) => ({ core: check, plugins: check, themes: check });

const aState = (fields: Partial<SiteState>) =>
  ({ depth: 'inspect', problem: null, checks: checksOf(unchecked), needs_boot: [], ...fields }) as SiteState;
const aStoredState = (fields: Partial<SiteState>) => aState(fields) as StoredSiteState;

it.each(['inspect', 'scan'] as const)('forgets why a site that starts again could not be checked (%s)', (depth) => {
  const broken = aStoredState({ problem, checks: checksOf(notStarted) });
  const { state } = mergeSiteState(aState({ depth, mark: 'other' }), broken);
  expect(state.problem).toBeNull();
  expect(state.checks).toEqual(checksOf({ ...notStarted, error: null }));
});

it('keeps the error of a check for as long as the site is in the same state', () => {
  const failed = { ...notStarted, error: 'WordPress.org ne répond pas' };
  const stored = aStoredState({ checks: checksOf(failed) });
  expect(mergeSiteState(aState({}), stored).state.checks).toEqual(checksOf(failed));
  const broken = aStoredState({ problem, checks: checksOf(notStarted) });
  expect(mergeSiteState(aState({ problem }), broken).state.checks).toEqual(checksOf(notStarted));
});
