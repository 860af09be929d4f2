import { describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { createGroup } from '@vigie/contracts/groups';
import { listJobs } from '@vigie/contracts/jobs';
import { applyUpdates } from '@vigie/contracts/changes';
import { Random } from '../chaos/random';
import { foreignCases, isId, namedBy } from './foreign';
import { fieldsOf } from './schemas';

const others = { group_id: 'autre-groupe', server_id: 'autre-serveur', site_id: 'autre-site' };

function casesOf(key: string, contract: (typeof allContracts)[number], body?: object, isOwned = false) {
  const [method = '', path = ''] = key.split(' ');
  const route = { key, method, path, access: 'client', contract, takesFile: false };
  const fields = 'input' in contract ? fieldsOf(contract.input) : [];
  const target = { route, fields, params: {}, query: {}, body, headers: {}, isOwned };
  const person = { name: 'propriétaire', headers: {} };
  return foreignCases({ target, person, mayPass: true, random: new Random(1), hostile: [] }, others);
}

describe('a request that names what is somebody else’s', () => {
  it('may be done for nobody, and is whole but for that', () => {
    const [one, ...more] = casesOf('POST /api/groups', createGroup, { name: 'phare', parent_id: 'own' });
    expect(more).toEqual([]);
    expect(one).toMatchObject({ kind: 'identifiant d’autrui', who: 'propriétaire', mayPass: false });
    expect(JSON.parse(String(one?.body))).toEqual({ name: 'phare', parent_id: 'autre-groupe' });
  });

  it('is made for each place of a list of objects too', () => {
    const [one] = casesOf('POST /api/updates', applyUpdates, { targets: [{ kind: 'plugin', site_id: 'own' }] });
    expect(JSON.parse(String(one?.body))).toEqual({ targets: [{ kind: 'plugin', site_id: 'autre-site' }] });
  });

  it('may be answered where it only looks, without that id', () => {
    const asked = casesOf('GET /api/jobs', listJobs).map(({ path, foreign, mayPass }) => [path, foreign, mayPass]);
    expect(asked).toEqual([
      ['/api/jobs?site_id=autre-site', 'autre-site', true],
      ['/api/jobs?server_id=autre-serveur', 'autre-serveur', true],
    ]);
  });
});

/** What a path names, which the matrix of people and objects tries; and what nobody has before an attack, or no garden. */
const ofPaths = /^(id|zone_id|snapshot_id|record_id|before|batch_id|actor_id|sids|after\.site_id)$/;

it('knows what every id names that the gateway takes in a body or a query', () => {
  const unknown = allContracts.flatMap((contract) => {
    if (!('input' in contract) || !contract.callers.includes('gateway')) return [];
    const ids = fieldsOf(contract.input).filter(isId);
    return ids.flatMap((field) => {
      const words = field.path.filter((key) => typeof key === 'string');
      const isElsewhere = ofPaths.test(words.join('.')) || words.at(-1) === 'record_id';
      return isElsewhere || namedBy(field, contract.name) !== undefined ? [] : [`${contract.name} ${words.join('.')}`];
    });
  });
  expect(unknown).toEqual([]);
});
