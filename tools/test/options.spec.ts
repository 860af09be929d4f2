import { expect, it } from 'vitest';
import { readOptions } from './options';

it.each([
  [[], { part: undefined, filter: [], repeat: 1 }],
  [['medium', 'apps/gateway'], { part: 'medium', filter: ['apps/gateway'], repeat: 1 }],
  [['e2e', '--repeat', '5'], { part: 'e2e', filter: [], repeat: 5 }],
  [['e2e', '--repeat', '2', 'login'], { part: 'e2e', filter: ['login'], repeat: 2 }],
])('reads %j', (args, options) => expect(readOptions(args)).toEqual(options));

it.each([[['e2e', '--repeat']], [['e2e', '--repeat', '0']], [['e2e', '--repeat', 'x']], [['unit', '--repeat', '2']]])(
  'refuses %j in a sentence',
  (args) => expect(() => readOptions(args)).toThrow('npm test -- e2e --repeat 5'),
);
