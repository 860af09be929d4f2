import { afterEach, describe, expect, it } from 'vitest';
import { type Answers, closeServers, prepare, site } from './test-cli';

afterEach(closeServers);

const id = '0199d0a0-0000-7000-8000-000000000001';
const at = '2026-11-29T01:00:00.000Z';
const job = {
  id,
  kind: 'commands.run',
  site_id: site.id,
  site_name: site.name,
  server_id: null,
  server_name: null,
  state: 'succeeded',
  progress: null,
  error: null,
  created_at: at,
  started_at: at,
  finished_at: at,
  attempts: 1,
  actor_name: null,
  batch_id: null,
  retry_of: null,
  is_cancelling: false,
  counts: null,
  result: null,
};
const lines = 5;
const perAnswer = 2;

/** A job that has ended, whose log needs three answers. */
const ended: Answers = ({ path }) => {
  const after = Number(new URLSearchParams(path.split('?')[1]).get('after'));
  const rest = Array.from({ length: lines }, (_, index) => index + 1).filter((seq) => seq > after);
  return { body: { ...job, log: rest.slice(0, perAnswer).map((seq) => ({ seq, at, text: `ligne ${seq}` })) } };
};
const all = Array.from({ length: lines }, (_, index) => `ligne ${index + 1}`);
const linesIn = (text: string) => text.split('\n').filter((line) => line.startsWith('ligne'));

describe('the log of a job that has ended', () => {
  it('is shown to its last line, and written so for a program', async () => {
    const follow = await prepare(['jobs', 'follow', id], ended);
    expect(await follow.run()).toBe(0);
    expect(linesIn(follow.written.err)).toEqual(all);
    const json = await prepare(['jobs', 'follow', id, '--json'], ended);
    expect(await json.run()).toBe(0);
    expect((JSON.parse(json.written.out) as { log: unknown }).log).toHaveLength(lines);
  });

  it('holds all that a command printed', async () => {
    const plan = { items: [{ site_id: site.id, site_name: site.name, url: site.url, refusal: null }] };
    const answers: Answers = (request) => {
      if (request.path === '/sites') return { body: [site] };
      if (request.path.endsWith('/plan')) return { body: plan };
      return request.method === 'POST' ? { body: { job_id: id, state: 'queued' } } : ended(request);
    };
    const { run, written } = await prepare(['run', site.name, '--yes', '--', 'ls'], answers);
    expect(await run()).toBe(0);
    expect(linesIn(written.out)).toEqual(all);
  });

  it('does not hide the end of the job where its rest cannot be read', async () => {
    const answers: Answers = (request) =>
      /after=[1-9]/.test(request.path) ? { status: 403, body: { detail: 'Non.' } } : ended(request);
    const { run, written } = await prepare(['jobs', 'follow', id], answers);
    expect(await run()).toBe(0);
    expect(written.err).toContain('The rest of the log could not be read. Non.');
  });
});
