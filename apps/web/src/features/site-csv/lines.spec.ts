import { expect, it } from 'vitest';
import { decode } from './decode';
import { inReadingOrder, markRepeats } from './lines';
import type { PreviewLine } from './site-csv.api';

const typed = { line: 0, name: '', url: '', groups: '', server: '', host: '', port: '', user: '', path: '' };

const aLine = (line: number, path: string | null, url: string, state: PreviewLine['verdict']['state'] = 'new') => ({
  typed: { ...typed, line },
  verdict: { line, state, reason: null, site_id: null, server: null, groups: [], place: { path, url } },
});

it('finds the lines about one site in the whole file, and puts what must be looked at first', () => {
  const lines = markRepeats([
    aLine(2, 'a', 'u'),
    aLine(3, 'b', 'u'),
    aLine(4, 'a', 'v'),
    aLine(5, null, 'v'),
    aLine(6, null, 'w'),
    aLine(7, 'c', 'w'),
    aLine(8, 'a', 'u', 'refused'),
  ]);
  const known = lines.filter(({ verdict }) => verdict.state === 'known').map(({ verdict }) => verdict.reason);
  expect(known).toEqual([
    'En double\u00a0: c’est le même site que la ligne 2.',
    'En double\u00a0: c’est le même site que la ligne 6.',
  ]);
  expect(inReadingOrder(lines).map(({ verdict }) => verdict.line)).toEqual([8, 2, 3, 5, 6, 4, 7]);
});

it.each([
  ['UTF-8', [0x68, 0xc3, 0xb4, 0x74, 0x65]],
  ['Windows’ own', [0x68, 0xf4, 0x74, 0x65]],
  ['UTF-16', [0xff, 0xfe, 0x68, 0, 0xf4, 0, 0x74, 0, 0x65, 0]],
])('reads the letters of %s', (_, bytes) => {
  expect(decode(new Uint8Array(bytes))).toBe('hôte');
});
