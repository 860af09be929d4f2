import { describe, expect, it } from 'vitest';
import type { ExecResult } from '@vigie/ssh/exec';
import type { Host } from './host';
import { scanSites } from './scan';

const site = { core: { version: '6.8' }, extensions: [] };
type ProcessEnd = { answered: string[]; code: number };

/** A host whose PHP ends as the function says for the given sites. */
function hostOf(answer: (paths: string[], seconds: number) => ProcessEnd) {
  const runs: string[][] = [];
  const host: Host = {
    run: async (_, { args = [] }) => {
      const { sites, word } = JSON.parse(Buffer.from(args[1] ?? '', 'base64').toString()) as ScanInput;
      const paths = sites.map(({ path }) => path);
      runs.push(paths);
      const { answered, code } = answer(paths, Number(args[2]));
      const lines = answered.map((path) => `\n${word}${JSON.stringify({ at: paths.indexOf(path), ...site })}${word}\n`);
      const none = { bytes: Buffer.alloc(0), dropped: 0 };
      const stdout = { bytes: Buffer.from(lines.join('')), dropped: 0 };
      return { outcome: 'failed', code, signal: null, stdout, stderr: none } satisfies ExecResult;
    },
  };
  return { host, runs };
}
type ScanInput = { sites: { path: string }[]; word: string };

/** Answers for the sites before the first bad one, which ends the process. */
const answerUntil =
  (code: number, ...bad: string[]) =>
  (paths: string[]): ProcessEnd => {
    const at = paths.findIndex((path) => bad.includes(path));
    return at < 0 ? { answered: paths, code: 0 } : { answered: paths.slice(0, at), code };
  };
const states = async (host: Host, paths: string[], batches: string[][] = []) => {
  const onScans = async (batch: ReadonlyMap<number, unknown>) =>
    void batches.push([...batch.keys()].map((at) => paths[at] ?? ''));
  const scans = await scanSites(host, paths, { php: '/usr/bin/php', onScans });
  return scans.map((scan) => (scan === undefined ? 'later' : 'state' in scan ? 'read' : 'broken')).join(' ');
};

describe('scanSites', () => {
  it('reads all sites although some kill the process, and reports them as they are read', async () => {
    const { host } = hostOf(answerUntil(255, 'b', 'd'));
    const batches: string[][] = [];
    expect(await states(host, ['a', 'b', 'c', 'd', 'e'], batches)).toBe('read broken read broken read');
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('does not call sites broken because others kill the process', async () => {
    const { host, runs } = hostOf(answerUntil(255, 'a', 'b', 'c', 'd'));
    expect(await states(host, ['a', 'b', 'c', 'd', 'e', 'f'])).toBe('broken broken broken broken later later');
    expect(runs).toHaveLength(4);
  });

  it('reads other sites before one that takes all of the time', async () => {
    const { host, runs } = hostOf(answerUntil(124, 'b', 'd'));
    expect(await states(host, ['a', 'b', 'c', 'd', 'e'])).toBe('read broken read broken read');
    expect(runs.slice(0, 3).map((run) => run.join(''))).toEqual(['abcde', 'cdeb', 'ebd']);
  });

  it('continues in a new process when the time is over', async () => {
    const { host, runs } = hostOf((paths, seconds) => {
      const answered = paths.slice(0, 70);
      return seconds <= 60 && answered.length === paths.length ? { answered, code: 0 } : { answered, code: 124 };
    });
    const paths = Array.from({ length: 200 }, (_, at) => String(at));
    expect(new Set((await states(host, paths)).split(' '))).toEqual(new Set(['read']));
    expect(runs).toHaveLength(3);
  });

  it('dates a scan at its start, since later changes may be missing', async () => {
    const { host } = hostOf((paths) => ({ answered: paths, code: 0 }));
    let startedAt = 0;
    const slow: Host = {
      run: async (...runArgs) => {
        startedAt = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 30));
        return host.run(...runArgs);
      },
    };
    const [scan] = await scanSites(slow, ['a'], { php: '/usr/bin/php' });
    expect(scan && 'state' in scan && Date.parse(scan.state.read_at)).toBeLessThanOrEqual(startedAt);
  });

  it('keeps the scans that arrived before the connection broke', async () => {
    const { host } = hostOf((paths) => {
      if (paths.length === 1) throw new Error('cut');
      return answerUntil(255, 'b')(paths);
    });
    const batches: string[][] = [];
    await expect(states(host, ['a', 'b', 'c'], batches)).rejects.toThrow('cut');
    expect(batches).toEqual([['a', 'b']]);
  });
});
