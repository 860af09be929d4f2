import { expect, it } from 'vitest';
import { allContracts } from './all';

/** A new route that refuses tokens must be added here on purpose. */
const sessionOnly = [
  'auth.notifications.save',
  'auth.notifications.test',
  'auth.passwords.change',
  'auth.passwords.forgot',
  'auth.passwords.reset',
  'auth.sessions.list',
  'auth.sessions.login',
  'auth.sessions.logout',
  'auth.sessions.revoke',
  'auth.sessions.signup',
  'auth.settings.read',
  'auth.settings.save',
  'auth.tokens.create',
  'auth.tokens.delete',
  'auth.tokens.list',
  'auth.two-factor.disable',
  'auth.two-factor.renew_codes',
  'auth.two-factor.reset',
  'auth.two-factor.setup',
  'auth.two-factor.status',
  'auth.two-factor.verify',
  'auth.users.create',
  'auth.users.delete',
  'auth.users.edit',
  'auth.users.find',
  'dns.config.create',
  'dns.config.delete',
  'dns.config.edit',
  'dns.config.validate',
  'sites.grants.create',
  'sites.grants.delete',
  'sites.jobs.retry',
  'sites.owner_changes.apply',
  'sites.owner_changes.apply_to_sites',
  'sites.owner_changes.plan',
  'sites.proposals.confirm',
  'sites.proposals.list',
  'sites.proposals.read',
  'sites.proposals.reject',
  'sites.servers.pubkey',
  'sites.servers.trust',
  'sites.sites.trust',
  'sites.teams.create',
  'sites.teams.delete',
  'sites.teams.edit',
];

it('is named for each route, except where a person must be there', () => {
  const without = allContracts.filter(({ endpoints, scope }) => endpoints.length > 0 && scope === undefined);
  expect(without.map(({ name }) => name).toSorted()).toEqual(sessionOnly);
});
