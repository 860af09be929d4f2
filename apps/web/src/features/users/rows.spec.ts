import { describe, expect, it } from '@jest/globals';
import type { AdminUser } from '@vigie/contracts/users';
import { rowsOf } from './rows';

const aUser = (last: string | null, more: Partial<AdminUser> = {}): AdminUser => ({
  id: `${last}`,
  email: `${last}@host`,
  name: `${last}`,
  first_name: null,
  last_name: last,
  role: 'client',
  is_admin: false,
  created_at: '2026-01-01T00:00:00Z',
  has_2fa: false,
  last_login_at: null,
  ...more,
});
const names = (users: AdminUser[]) => users.map((user) => user.last_name);

describe('rowsOf', () => {
  const users = [aUser('Zola'), aUser(null), aUser('Évrard'), aUser('Eluard'), aUser('Web10'), aUser('Web2')];

  it('sorts by last name in French, numbers as numbers, the nameless last', () => {
    expect(names(rowsOf(users, {}))).toEqual(['Eluard', 'Évrard', 'Web2', 'Web10', 'Zola', null]);
  });

  it('keeps the nameless last the other way round too', () => {
    expect(names(rowsOf(users, { order: 'desc' }))).toEqual(['Zola', 'Web10', 'Web2', 'Évrard', 'Eluard', null]);
  });

  it('finds each word in the names and the address, accents or not', () => {
    expect(names(rowsOf(users, { q: 'evr' }))).toEqual(['Évrard']);
    expect(names(rowsOf(users, { q: ' HOST  zol ' }))).toEqual(['Zola']);
    expect(rowsOf(users, { q: 'personne' })).toEqual([]);
  });

  it('keeps one role', () => {
    const admin = aUser('Chef', { role: 'admin' });
    expect(rowsOf([...users, admin], { role: 'admin' })).toEqual([admin]);
  });

  it('sorts dates as dates, equals by their address', () => {
    const late = aUser('A', { last_login_at: '2026-03-01T00:00:00Z' });
    const early = aUser('B', { last_login_at: '2026-02-01T00:00:00Z' });
    const sorted = rowsOf([aUser('D'), late, aUser('C'), early], { sort: 'last_login_at' });
    expect(names(sorted)).toEqual(['B', 'A', 'C', 'D']);
  });
});
