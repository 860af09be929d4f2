import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { bundleFaults, serviceFaults } from './bundle';

let folder: string;
beforeEach(() => {
  folder = testFolder('bundle');
  mkdirSync(join(folder, 'assets'));
});

const noise = (kilobytes: number) => `export const noise = '${randomBytes(kilobytes * 750).toString('base64')}';\n`;

function faultsOf(files: Record<string, string>): string[] {
  const page = '<script type="module" src="/assets/main.js"></script><link rel="modulepreload" href="/assets/lib.js">';
  const all = { 'index.html': page, 'assets/main.js': '', 'assets/lib.js': '', ...files };
  for (const [path, text] of Object.entries(all)) writeFileSync(join(folder, path), text);
  return bundleFaults(folder);
}

describe('the built web application', () => {
  it('may load large scripts later', () => {
    const main = "import './lib.js';\nconst later = () => import('./later.js');\n";
    expect(faultsOf({ 'assets/main.js': main, 'assets/later.js': noise(600) })).toEqual([]);
  });

  it.each([
    ['its script', { 'assets/main.js': noise(400) }],
    ['a preloaded script', { 'assets/lib.js': noise(400) }],
    ['an imported script', { 'assets/main.js': "import './deep.js';", 'assets/deep.js': noise(400) }],
    ['the dashboard', { 'assets/DashboardPage-a1.js': noise(400) }],
    [
      'a script of the dashboard',
      { 'assets/DashboardPage-a1.js': "import './deep.js';", 'assets/deep.js': noise(400) },
    ],
    ['a script in the page', { 'index.html': `<script>${noise(400)}</script>` }],
  ])('is refused when %s is too large', (_, files) => {
    expect(faultsOf(files)).toEqual([expect.stringMatching(/^The dashboard needs \d+ bytes of JavaScript gzipped/)]);
  });

  it('loads its terminal later, within a budget', () => {
    const main = "const later = () => import('./terminal-a1.js');\n";
    expect(faultsOf({ 'assets/main.js': main, 'assets/terminal-a1.js': noise(90) })).toEqual([]);
    expect(faultsOf({ 'assets/main.js': main, 'assets/terminal-a1.js': noise(180) })).toEqual([
      expect.stringMatching(/^assets\/terminal-a1\.js is \d+ bytes gzipped: 120000 at most$/),
    ]);
    expect(faultsOf({ 'assets/main.js': "import './terminal-a1.js';\n", 'assets/terminal-a1.js': noise(90) })).toEqual([
      'assets/terminal-a1.js is loaded before it is needed',
    ]);
  });

  it('is refused with a mark of the development login in any file', () => {
    expect(faultsOf({ 'assets/later.js': "const id = 'dev-user';" })).toEqual(['assets/later.js contains dev-user']);
  });

  it.each([
    ['index.html', '<link href="https://fonts.example.net/a.css">'],
    ['index.html', '<script src="//fonts.example.net/a.js"></script>'],
    ['assets/main.css', 'a { src: url(//fonts.example.net/a.woff2) }'],
    ['assets/main.js', 'fetch("https://fonts.example.net/x")'],
  ])('is refused when %s names a third party', (path, text) => {
    expect(faultsOf({ [path]: text })).toEqual([`${path} names a third party: fonts.example.net`]);
  });

  it('may contain names of formats, and addresses that users type', () => {
    expect(faultsOf({ 'assets/main.js': 'const a = "http://www.w3.org/2000/svg", b = `https://${host}/`;' })).toEqual(
      [],
    );
  });

  it('is refused when it was not built', () => {
    rmSync(join(folder, 'index.html'), { force: true });
    expect(bundleFaults(folder)).toEqual([`${folder} has no index.html`]);
  });
});

describe('a built service', () => {
  const faultsOfService = (lib: string) => {
    const main = "import 'node:fs';\nimport './lib.js';\nconst later = () => import('./later.js');\n";
    for (const [path, text] of Object.entries({ 'main.js': main, 'lib.js': lib, 'later.js': noise(600) }))
      writeFileSync(join(folder, path), text);
    return serviceFaults(folder, 100_000);
  };

  it('may load large code later', () => {
    expect(faultsOfService(noise(50))).toEqual([]);
  });

  it('is refused when it loads too much at its start, or characters that double its memory', () => {
    expect(faultsOfService(noise(200))).toEqual([
      expect.stringMatching(/loads \d+ bytes of JavaScript: 100000 at most$/),
    ]);
    expect(faultsOfService('export const mark = "’";')).toEqual([
      `${join(folder, 'lib.js')} has characters beyond Latin-1`,
    ]);
  });
});
