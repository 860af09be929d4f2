import { expect, it } from 'vitest';
import { pointsTo } from './points';

const record = (type: string, name: string, content: string) => ({ type, name, content });
const apex = record('A', 'exemple.fr', '203.0.113.10');
const www = record('CNAME', 'www.exemple.fr', 'exemple.fr.');
const all = [apex, www];

it('matches a server by its address or its name', () => {
  expect(pointsTo(apex, '203.0.113.10', all)).toBe(true);
  expect(pointsTo(apex, '203.0.113.1', all)).toBe(false);
  expect(pointsTo(record('CNAME', 'a.exemple.fr', 'Web-03.Example.net.'), 'web-03.example.net', all)).toBe(true);
});

it('follows names of the zone, and stops at a cycle', () => {
  expect(pointsTo(www, '203.0.113.10', all)).toBe(true);
  const circle = [record('CNAME', 'a.fr', 'b.fr'), record('CNAME', 'b.fr', 'a.fr')] as const;
  expect(pointsTo(circle[0], '203.0.113.10', circle)).toBe(false);
});

it('ignores the address in a TXT record', () => {
  expect(pointsTo(record('TXT', 'exemple.fr', '203.0.113.10'), '203.0.113.10', all)).toBe(false);
});
