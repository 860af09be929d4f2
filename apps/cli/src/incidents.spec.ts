import { anEvent, aWholeIncident } from '@vigie/testing/sample-incidents';
import { afterEach, expect, it } from 'vitest';
import { type Answers, closeServers, prepare } from './test-cli';

afterEach(closeServers);

const id = '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a79';
const at = '2026-11-29T03:12:00.000Z';
const incident = aWholeIncident({
  id,
  cause: { kind: 'server', id, name: 'web-03' },
  sites: 12,
  failing: 11,
  verdict: 'answers_there',
  observed_at: at,
  opened_at: at,
  is_flapping: true,
  reopenings: 2,
  subjects: [],
  events: [
    anEvent({ at, subject: 'boutique', evidence: { code: 502, reason: null, ends_at: null } }),
    anEvent({ at, kind: 'joined', count: 11 }),
    anEvent({ at, kind: 'commented', by: 'Anne', text: 'nginx is gone' }),
  ],
});

async function vigie(line: string, answers: Answers) {
  const { run, written } = await prepare(line.split(' '), answers);
  const code = await run();
  return { code, ...written };
}

it('lists what is wrong now, or all of it', async () => {
  const asked: string[] = [];
  const answers: Answers = ({ path }) => {
    asked.push(path);
    return { body: { items: [incident], total: 1 } };
  };
  const { code, out } = await vigie('incidents', answers);
  expect([code, out]).toEqual([0, expect.stringMatching(/Sites of web-03 without an answer: 11.*HTTP 502.*open/)]);
  await vigie('incidents --state all --limit 5', answers);
  expect(asked).toEqual(['/incidents?state=open&limit=20', '/incidents?limit=5']);
  await expect(vigie('incidents --state none', answers)).rejects.toThrow('--state');
});

it.each([
  [{ kind: 'domain', cause: { kind: 'domain', id: null, name: 'boutique.fr' } }, 'Domain boutique.fr'],
  [{ kind: 'dns', cause: { kind: 'site', id, name: 'Boutique' } }, 'Boutique is at another address'],
  [{ kind: 'dns' }, 'Sites of web-03 at another address: 11'],
] as const)('says what is wrong with a name: %j', async (fields, title) => {
  const { out } = await vigie('incidents', () => ({ body: { items: [{ ...incident, ...fields }], total: 1 } }));
  expect(out).toContain(title);
});

it('tells what happened, and takes an incident over', async () => {
  const shown = await vigie(`incidents show ${id}`, () => ({ body: incident }));
  expect(shown.code).toBe(0);
  expect(shown.err).toMatch(/answers its own server, not here[^]*comes and goes/);
  expect(shown.out).toMatch(/first failure.*boutique.*HTTP 502[^]*touched too.*×11[^]*comment \(Anne\).*nginx is gone/);
  const taken = await vigie(`incidents ack ${id}`, ({ method, path }) =>
    method === 'POST' && path === `/incidents/${id}/ack`
      ? { body: { ...incident, acknowledged_by: 'Anne', acknowledged_at: at } }
      : undefined,
  );
  expect([taken.code, taken.err]).toEqual([0, expect.stringContaining('taken by Anne')]);
});
