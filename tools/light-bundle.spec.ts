import { readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { encode } from '@jridgewell/sourcemap-codec';
import { expect, it } from 'vitest';
import { lightCode, unusedParts, withoutUnusedParts } from './light-bundle.mjs';

const code = "const a='’';const b='œuvre…';fail();\nfail();";
const segments = [
  [
    [0, 0, 0, 0],
    [6, 0, 0, 6],
    [12, 0, 3, 0],
    [29, 0, 4, 2],
  ],
  [[0, 0, 9, 0]],
] satisfies Parameters<typeof encode>[0];
const map = { version: 3, file: 'main.js', names: [], sources: ['main.ts'], mappings: encode(segments) };

it('keeps what a program says and the lines that its map names, in code of one byte a character', () => {
  const light = lightCode(code, map);
  expect(light.code).toBe("const a='\\u2019';const b='\\u0153uvre\\u2026';fail();\nfail();");
  const lines = light.code.split('\n');
  const entryOf = (row: number, text: string) =>
    new SourceMap(light.map).findEntry(row, lines[row]?.indexOf(text) ?? 0);
  expect(entryOf(0, 'const a')).toMatchObject({ originalLine: 0 });
  expect(entryOf(0, 'const b')).toMatchObject({ originalLine: 3 });
  expect(entryOf(0, 'fail')).toMatchObject({ originalLine: 4 });
  expect(entryOf(1, 'fail')).toMatchObject({ originalLine: 9 });
});

it('keeps one mapping where several name the same line', () => {
  expect(lightCode(code, map).map.mappings.split(/[,;]/)).toHaveLength(4);
});

it('says what is missing when an unused part is used after all', () => {
  const module: { exports: { Driver?: unknown } } = { exports: {} };
  const file = '/vigie/node_modules/typeorm/driver/oracle/OracleDriver.js';
  // oxlint-disable-next-line typescript/no-implied-eval -- the code that a bundle gets
  new Function('module', withoutUnusedParts.load.handler(file))(module);
  expect(() => module.exports.Driver).toThrow(
    'typeorm/driver/oracle/OracleDriver.js is left out of the bundle, for Driver',
  );
});

it('knows the unused parts of the installed packages, and leaves PostgreSQL and Redis', () => {
  const filesOf = (folder: string) =>
    readdirSync(join('node_modules', folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join('node_modules', folder, file))
      .filter((file) => unusedParts.test(file));
  const drivers = filesOf('typeorm/driver');
  expect(drivers.length).toBeGreaterThan(10);
  expect(drivers.filter((file) => file.includes('/postgres/'))).toEqual([]);
  expect(filesOf('bullmq/dist/cjs')).toEqual(['node_modules/bullmq/dist/cjs/postgres/index.js']);
});
