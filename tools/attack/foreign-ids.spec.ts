import { describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { createGroup } from '@vigie/contracts/groups';
import { listJobs } from '@vigie/contracts/jobs';
import { applyUpdates } from '@vigie/contracts/changes';
import { Random } from '../chaos/random';
import { foreignCases, isId, idKind } from './foreign-ids';
import { listFields } from './schemas';

const foreignIds = { group_id: 'autre-groupe', server_id: 'autre-serveur', site_id: 'autre-site' };

function casesOf(key: string, contract: (typeof allContracts)[number], body?: object, isOwned = false) {
  const [method = '', path = ''] = key.split(' ');
  const route = { key, method, path, access: 'client', contract, takesFile: false };
  const fields = 'input' in contract ? listFields(contract.input) : [];
  const target = { route, fields, params: {}, query: {}, body, headers: {}, isOwned, isShared: false };
  const person = { name: 'propriétaire', headers: {} };
  return foreignCases({ target, person, mayPass: true, random: new Random(1), hostile: [] }, foreignIds);
}

describe('a request that names a foreign object', () => {
  it('must be refused, and is otherwise valid', () => {
    const [first, ...others] = casesOf('POST /api/groups', createGroup, { name: 'phare', parent_id: 'own' });
    expect(others).toEqual([]);
    expect(first).toMatchObject({ kind: 'identifiant d’autrui', sender: 'propriétaire', mayPass: false });
    expect(JSON.parse(String(first?.body))).toEqual({ name: 'phare', parent_id: 'autre-groupe' });
  });

  it('is created for ids in lists of objects too', () => {
    const [first] = casesOf('POST /api/updates', applyUpdates, { targets: [{ kind: 'plugin', site_id: 'own' }] });
    expect(JSON.parse(String(first?.body))).toEqual({ targets: [{ kind: 'plugin', site_id: 'autre-site' }] });
  });

  it('may be granted if it only reads and the answer lacks that id', () => {
    const cases = casesOf('GET /api/jobs', listJobs).map(({ path, foreign, mayPass }) => [path, foreign, mayPass]);
    expect(cases).toEqual([
      ['/api/jobs?site_id=autre-site', 'autre-site', true],
      ['/api/jobs?server_id=autre-serveur', 'autre-serveur', true],
    ]);
  });
});

/** Ids in paths, which the access matrix tests, ids that exist only during an attack, and users and teams, whom nobody owns. */
const otherIds =
  /^(id|job_id|user_id|user_ids|team_id|zone_id|snapshot_id|record_id|before|batch_id|channel_id|incident_id|expected_check|actor_id|sids|after\.site_id)$/;

it('knows the kind of every id that the gateway accepts in a body or a query', () => {
  const unknown = allContracts.flatMap((contract) => {
    if (!('input' in contract) || !contract.callers.includes('gateway')) return [];
    const ids = listFields(contract.input).filter(isId);
    return ids.flatMap((field) => {
      const words = field.path.filter((key) => typeof key === 'string');
      const isTestedElsewhere = otherIds.test(words.join('.')) || words.at(-1) === 'record_id';
      return isTestedElsewhere || idKind(field, contract.name) !== undefined
        ? []
        : [`${contract.name} ${words.join('.')}`];
    });
  });
  expect(unknown).toEqual([]);
});
