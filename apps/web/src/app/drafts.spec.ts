import { describe, expect, it } from 'vitest';
import { createDrafts, typedOf } from './drafts';

const nobody = { token: null, userId: null };
const alice = { token: 'of alice', userId: 'alice' };
const bob = { token: 'of bob', userId: 'bob' };
const typed = { name: 'Vitrine' };

function draftsOfAlice() {
  const drafts = createDrafts();
  drafts.follow(alice, false);
  return drafts;
}

describe('the drafts of forms over which a session ended', () => {
  it('are restored for the same person, until the form discards them', () => {
    const drafts = draftsOfAlice();
    drafts.keep('site', typed);
    drafts.follow(nobody, true);
    drafts.follow(alice, false);
    expect(drafts.find('site')).toEqual(typed);
    expect(drafts.find('server')).toBeUndefined();
    drafts.forget('site');
    expect(drafts.find('site')).toBeUndefined();
  });

  it('are deleted for good once somebody else logs in', () => {
    const drafts = draftsOfAlice();
    drafts.keep('site', typed);
    for (const person of [nobody, bob]) drafts.follow(person, true);
    expect(drafts.find('site')).toBeUndefined();
    for (const person of [nobody, alice]) drafts.follow(person, true);
    expect(drafts.find('site')).toBeUndefined();
  });

  it('are deleted by a logout', () => {
    const drafts = draftsOfAlice();
    drafts.keep('site', typed);
    drafts.follow(nobody, false);
    drafts.follow(alice, false);
    expect(drafts.find('site')).toBeUndefined();
  });

  it('hold only the fields that differ from the initial values', () => {
    const groups = ['a'];
    const start = { name: 'Vitrine', groups, password: '' };
    expect(typedOf(start, { ...start })).toEqual({});
    expect(typedOf(start, { ...start, name: 'Boutique', groups: [] })).toEqual({ name: 'Boutique', groups: [] });
    const drafts = draftsOfAlice();
    drafts.keep('site', {});
    expect(drafts.find('site')).toBeUndefined();
  });
});
