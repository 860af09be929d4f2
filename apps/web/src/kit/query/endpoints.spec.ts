import { describe, expect, it } from 'vitest';
import { createBackupUpload } from '@vigie/contracts/backups';
import { callOf } from '@vigie/contracts/calls';
import { coreSlug, updateItem } from '@vigie/contracts/changes';
import { JobTicket } from '@vigie/contracts/jobs';
import { deletePasskey } from '@vigie/contracts/passkeys';
import { logout } from '@vigie/contracts/sessions';
import { deleteServer, listServers, readStatuses } from '@vigie/contracts/servers';
import { editSite } from '@vigie/contracts/sites';
import { createUpload } from '@vigie/contracts/uploads';
import { fileCallOf, mutationOf, queryOf } from './endpoints';

describe('the request of a call', () => {
  it('takes the fields of its path, and sends the others as its body', () => {
    expect(callOf(editSite, { id: 'a/b', name: 'Vitrine' })).toMatchObject({
      method: 'PUT',
      path: '/sites/a%2Fb',
      body: { name: 'Vitrine' },
    });
    expect(callOf(logout, {})).not.toHaveProperty('body');
  });

  it('sends them as the query without a body, except those that are empty', () => {
    expect(callOf(listServers, { q: '', sort: undefined, limit: 20, offset: 0 })).toMatchObject({
      method: 'GET',
      path: '/servers?limit=20&offset=0',
    });
    expect(callOf(readStatuses, { ids: 'a,b' }).path).toBe('/servers/statuses?ids=a%2Cb');
    expect(callOf(deleteServer, { id: 'a', force: '1' })).toMatchObject({
      method: 'DELETE',
      path: '/servers/a?force=1',
    });
  });

  it('keeps a secret out of the address', () => {
    expect(callOf(deletePasskey, { id: 'a', password: 'phare' })).toMatchObject({
      method: 'DELETE',
      path: '/passkeys/a',
      body: { password: 'phare' },
    });
  });

  it('finds the route among several by the fields that it sets', () => {
    const theme = { id: 'a', kind: 'theme', slug: 'deux' } as const;
    expect(callOf(updateItem, theme)).toMatchObject({ path: '/sites/a/themes/update', body: { slug: 'deux' } });
    const core = callOf(updateItem, { id: 'a', kind: 'core', slug: coreSlug });
    expect(core).toMatchObject({ path: '/sites/a/core/update', output: JobTicket });
    expect(core).not.toHaveProperty('body');
    expect(() => callOf(updateItem, { id: 'a', kind: 'other' as never, slug: 'x' })).toThrow('no route');
  });

  it('leaves the body of an upload to the file', () => {
    expect(fileCallOf(createUpload, { type: 'plugin', replace: '1' }, 'k')).toMatchObject({
      method: 'POST',
      path: '/uploads/plugins?replace=1',
      idempotencyKey: 'k',
    });
    expect(fileCallOf(createBackupUpload, { id: 'a' }, 'k').path).toBe('/sites/a/backups/upload');
  });
});

describe('an endpoint', () => {
  it('joins a list with its counts', () => {
    const servers = [{ id: 'a' }];
    const { transformResponse, providesTags } = queryOf(listServers);
    expect(transformResponse(servers, { counts: { total: 7, offline: 2 } })).toEqual({
      items: servers,
      total: 7,
      offline: 2,
    });
    expect(transformResponse(servers, undefined)).toEqual({ items: servers, total: 1 });
    expect(providesTags).toEqual(['servers']);
  });

  it('says why it failed, in the words of the server if it has some', () => {
    const refused = { kind: 'http', status: 409, path: 'DELETE /api/servers/a' } as const;
    const { transformErrorResponse } = mutationOf(deleteServer, 'Échec suppression.');
    expect(transformErrorResponse(refused).sentence).toBe('Échec suppression.');
    const told = { ...refused, detail: 'Ce serveur a des sites.' };
    expect(transformErrorResponse(told).sentence).toBe('Ce serveur a des sites.');
    const quiet = mutationOf(deleteServer, ({ status }) => (status === 409 ? undefined : 'Échec suppression.'));
    expect(quiet.transformErrorResponse(refused).sentence).toBeUndefined();
  });

  it('makes stale what its contract changes', () => {
    expect(mutationOf(deleteServer).invalidatesTags).toEqual(['servers', 'groups', 'sites']);
  });
});
