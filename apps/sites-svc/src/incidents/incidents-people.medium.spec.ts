import { randomUUID } from 'node:crypto';
import type { Incident } from '@vigie/contracts/incidents';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IncidentStage } from '@vigie/testing/incidents';

let stage: IncidentStage;
beforeAll(async () => {
  stage = await IncidentStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.empty());

describe('people', () => {
  const act = (id: string, verb: string, body: object = {}, user = stage.owner) =>
    stage.ask('POST', `/incidents/${id}/${verb}`, body, user);

  it('acknowledge, mute, comment and close an incident', async () => {
    await stage.reportTimes(3, await stage.addSites(['boutique']));
    const { id } = await stage.only();
    expect((await act(id, 'ack')).body).toMatchObject({ acknowledged_by: 'Anne Le Goff' });
    expect((await act(id, 'ack')).status).toBe(200);
    expect((await act(id, 'mute', { minutes: 60 })).body['muted_until']).toBeTypeOf('string');
    expect((await act(id, 'mute', { minutes: 0 })).body['muted_until']).toBeNull();
    const key = { 'idempotency-key': randomUUID() };
    for (let at = 0; at < 2; at += 1) {
      const path = `/api/incidents/${id}/comment`;
      const body = { text: ' Disque plein.\nJe vide les journaux. ' };
      const answer = await stage.product.request('POST', path, { token: stage.owner.token, body, headers: key });
      expect(answer.status).toBe(200);
    }
    expect((await act(id, 'comment', { text: ' ' })).body).toEqual({ detail: 'Écrivez un commentaire.' });
    const closed = await act(id, 'resolve');
    expect(closed.body).toMatchObject({ state: 'resolved', resolution: 'closed', muted_until: null });
    const events = (closed.body as unknown as Incident).events.filter(({ by }) => by !== null);
    expect(events.map(({ kind, by, text }) => [kind, by, text])).toEqual([
      ['acknowledged', 'Anne Le Goff', null],
      ['muted', 'Anne Le Goff', null],
      ['unmuted', 'Anne Le Goff', null],
      ['commented', 'Anne Le Goff', 'Disque plein.\nJe vide les journaux.'],
      ['closed', 'Anne Le Goff', null],
    ]);
  });

  it('open it again by closing it while it lasts', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(3, sites);
    const { id } = await stage.only();
    await act(id, 'resolve');
    await stage.reportTimes(2, sites);
    expect(await stage.list('?state=open')).toEqual([]);
    await stage.report(sites);
    expect(await stage.only('?state=open')).toMatchObject({ id, reopenings: 0, is_flapping: false });
  });

  it('reach only incidents of what they own or what is shared with them', async () => {
    const server = await stage.addServer('web-03');
    const sites = await stage.addSites(['boutique', 'blog'], server);
    await stage.reportTimes(3, sites);
    const { id } = await stage.only();
    // The server's answer to the question about the shared site names its address.
    const own = { code: null, ms: null, error: '192.0.2.7 refuse les connexions au port 2222.' };
    const opinion = { verdict: 'unknown', at: new Date().toISOString(), own, other: null };
    await stage.query('update sites.incident_subjects set opinion = $1 where subject_id = $2', opinion, sites['blog']);
    await act(id, 'comment', { text: 'Je redémarre web-03.' });
    expect(await stage.list('', stage.guest)).toEqual([]);
    expect((await stage.ask('GET', `/incidents/${id}`, undefined, stage.guest)).status).toBe(404);
    const share = (role: string, site = sites['blog']) =>
      stage.ask('POST', '/grants', { site_id: site, user_id: stage.guest.id, role });
    await share('operator');
    const shared = await stage.only('', stage.guest);
    expect(shared).toMatchObject({
      cause: { kind: 'server', id: null, name: 'Un serveur' },
      sites: 1,
      subjects: [{ name: 'blog' }],
      can_act: false,
    });
    expect(JSON.stringify(shared)).not.toMatch(/boutique|web-03|192\.0\.2/);
    expect((await act(id, 'ack', {}, stage.guest)).status).toBe(403);
  });

  it('act on the incident of a shared site as far as their role goes', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(3, sites);
    const { id } = await stage.only();
    const share = (role: string) =>
      stage.ask('POST', '/grants', { site_id: sites['boutique'], user_id: stage.guest.id, role });
    await share('viewer');
    expect((await stage.only('', stage.guest)).can_act).toBe(false);
    expect((await act(id, 'comment', { text: 'Vu.' }, stage.guest)).status).toBe(403);
    await share('operator');
    expect((await act(id, 'comment', { text: 'Vu.' }, stage.guest)).status).toBe(200);
  });
});
