import { describe, expect, it } from 'vitest';
import { createDrafts, changedFields } from './drafts';

const nobody = { token: null, userId: null };
const alice = { token: 'of alice', userId: 'alice' };
const bob = { token: 'of bob', userId: 'bob' };
const fields = { name: 'Vitrine' };

function draftsOfAlice() {
  const drafts = createDrafts();
  drafts.followSession(alice, false);
  return drafts;
}

describe('the drafts of forms over which a session ended', () => {
  it('are restored for the same person, until the form discards them', () => {
    const drafts = draftsOfAlice();
    drafts.save('site', fields);
    drafts.followSession(nobody, true);
    drafts.followSession(alice, false);
    expect(drafts.find('site')).toEqual(fields);
    expect(drafts.find('server')).toBeUndefined();
    drafts.discard('site');
    expect(drafts.find('site')).toBeUndefined();
  });

  it('are deleted for good once somebody else logs in', () => {
    const drafts = draftsOfAlice();
    drafts.save('site', fields);
    for (const person of [nobody, bob]) drafts.followSession(person, true);
    expect(drafts.find('site')).toBeUndefined();
    for (const person of [nobody, alice]) drafts.followSession(person, true);
    expect(drafts.find('site')).toBeUndefined();
  });

  it('are deleted by a logout', () => {
    const drafts = draftsOfAlice();
    drafts.save('site', fields);
    drafts.followSession(nobody, false);
    drafts.followSession(alice, false);
    expect(drafts.find('site')).toBeUndefined();
  });

  it('hold only the fields that differ from the initial values', () => {
    const groups = ['a'];
    const start = { name: 'Vitrine', groups, password: '' };
    expect(changedFields(start, { ...start })).toEqual({});
    expect(changedFields(start, { ...start, name: 'Boutique', groups: [] })).toEqual({ name: 'Boutique', groups: [] });
    const drafts = draftsOfAlice();
    drafts.save('site', {});
    expect(drafts.find('site')).toBeUndefined();
  });
});
