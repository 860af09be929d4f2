import { expect, it } from 'vitest';
import { LostReads } from './LostReads';

const sites = { endpointName: 'sites', originalArgs: { q: '' }, queryCacheKey: 'sites({"q":""})', isUnanswered: true };

it('repeats a lost read three times while Vigie responds, and anew after an outage', () => {
  const lost = new LostReads();
  lost.add(sites, 0);
  // The failure may be on the screen of a person who presses the button.
  expect(lost.takeDue(false, 10)).toEqual([]);
  for (const now of [5_000, 10_000, 15_000]) {
    expect(lost.takeDue(false, now)).toEqual([sites]);
    lost.add(sites, now);
  }
  expect(lost.takeDue(false, 20_000)).toEqual([]);
  expect(lost.state).toBe('unstable');
  expect(lost.takeDue(true, 20_000)).toEqual([sites]);
  expect(lost.takeDue(false, 25_000)).toEqual([sites]);
});

it('does not use up its tries at once when each failure makes Vigie be asked again', () => {
  const lost = new LostReads();
  lost.add(sites, 0);
  expect(lost.takeDue(false, 4_000)).toEqual([sites]);
  lost.add(sites, 4_020);
  expect([lost.takeDue(false, 4_030), lost.takeDue(false, 5_020)]).toEqual([[], [sites]]);
});

it('tells a service that did not respond from Vigie itself', () => {
  const lost = new LostReads();
  lost.add({ ...sites, isUnanswered: false }, 0);
  expect(lost.state).toBe('waiting');
});

it('forgets a read that was answered', () => {
  const lost = new LostReads();
  lost.add(sites, 0);
  lost.remove(sites.queryCacheKey);
  expect(lost.state).toBe('none');
  expect(lost.takeDue(true, 5_000)).toEqual([]);
});
