import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { crossedBoundaries, type ImportTable } from './architecture/boundaries';
import { cycles, folderCycles } from './architecture/cycles';
import {
  defaultExports,
  environmentReads,
  keyPairsAsObjects,
  indexFiles,
  longFiles,
  misplacedMigrations,
  reExports,
} from './architecture/files';
import { contractFaults } from './architecture/handlers';
import { earlyLookups } from './architecture/lookups';
import { listFiles, parse } from './architecture/source';
import { styleFaults } from './architecture/styles';
import { testFolder } from './test-folder';

const everyLib = ['contracts', 'vault', 'ssh', 'wpress', 'files', 'wordpress', 'service-kit', 'testing'];

/** Allowed imports. Tests may also import `testing`, and tools any lib. */
const mayImport: ImportTable = {
  contracts: [],
  vault: ['contracts/errors'],
  ssh: ['contracts/errors', 'contracts/address-ranges'],
  wpress: ['contracts/errors', 'contracts/nesting'],
  files: ['contracts/errors'],
  wordpress: ['ssh (types)', 'contracts'],
  'service-kit': ['contracts', 'vault'],
  testing: everyLib,
  web: ['contracts'],
  cli: ['contracts'],
  gateway: ['contracts', 'service-kit', 'vault', 'files'],
  'auth-svc': ['contracts', 'service-kit', 'vault'],
  'sites-svc': ['contracts', 'service-kit', 'vault', 'wpress', 'files'],
  'dns-svc': ['contracts', 'service-kit', 'vault'],
  'ssh-agent': ['contracts', 'service-kit', 'vault', 'ssh', 'wordpress', 'wpress', 'files'],
};
const limits = {
  table: mayImport,
  libs: everyLib,
  browser: ['contracts', 'web'],
  onlyThirdParties: { contracts: ['zod'] },
};

/** Apps whose folders import each other in circles today. An app leaves this list with its last circle. */
const circularApps = ['auth-svc', 'dns-svc'];

function violations(root: string): string[] {
  const paths = listFiles(root);
  const sources = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => parse(root, path));
  return [
    ...longFiles(root, paths),
    ...indexFiles(paths),
    ...defaultExports(sources),
    ...reExports(sources),
    ...environmentReads(sources),
    ...keyPairsAsObjects(sources),
    ...earlyLookups(sources),
    ...misplacedMigrations(sources),
    ...crossedBoundaries(root, sources, limits),
    ...cycles(sources),
    ...folderCycles(sources.filter(({ path }) => !circularApps.some((app) => path.startsWith(`apps/${app}/`)))),
    ...contractFaults(sources),
    ...styleFaults(root, paths, sources),
  ];
}

type Files = Record<string, string>;
const manifest = JSON.stringify({
  dependencies: Object.fromEntries(
    [...everyLib.map((lib) => `@vigie/${lib}`), 'zod', 'ssh2'].map((name) => [name, '*']),
  ),
});

/** Writes a small tree in which every package declares every lib, and checks it. */
function violationsOf(files: Files): string[] {
  const root = testFolder('tree');
  const packages = Object.keys(files).flatMap((path) => /^(apps|libs)\/[^/]+/.exec(path)?.[0] ?? []);
  const manifests = Object.fromEntries(packages.map((folder) => [`${folder}/package.json`, manifest]));
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return violations(root);
}

const lib = { 'libs/vault/src/seal.ts': 'export const seal = 1;\n' };
const one = {
  'libs/contracts/src/sites.ts': "import { contract } from './contract';\nexport const list = contract('x', {});\n",
};
const all = { 'libs/contracts/src/all.ts': "import * as sites from './sites';\nexport const every = [sites];\n" };
const wide = { 'libs/service-kit/src/a.ts': "import { every } from '@vigie/contracts/all';\n" };
const handler = "import { list } from '@vigie/contracts/sites';\nclass A { @Handles(list) read() {} }\n";

const styled = {
  'apps/web/src/ui/A.tsx': "import a from './a.module.css';\nexport const b = [a['head'], a['bar']];\n",
  'apps/web/src/ui/a.module.css': '.head > .bar:hover {\n  margin: 0.5em;\n}\n',
};

const find = `import { existsSync } from 'node:fs';
const folders = ['/usr/bin', '/bin'];
export const find = (name: string) => folders.map((folder) => folder + name).find((file) => existsSync(file));
`;

describe('the tree', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));

  it('keeps every rule', () => {
    expect(violations(root)).toEqual([]);
  });

  it.each(circularApps)('exempts %s, which still has a folder cycle', (app) => {
    const paths = listFiles(root).filter((path) => path.startsWith(`apps/${app}/`) && path.endsWith('.ts'));
    expect(folderCycles(paths.map((path) => parse(root, path)))).not.toEqual([]);
  });
});

describe('the rules', () => {
  it('accept a clean tree', () => {
    const user = "import { seal } from '@vigie/vault/seal';\nimport { a } from './a';\nexport const b = [a, seal];\n";
    const gateway = { 'apps/gateway/src/a.ts': 'export const a = 1;\n', 'apps/gateway/src/b.ts': user };
    expect(violationsOf({ ...lib, ...gateway, ...one, ...all, ...styled, 'apps/sites-svc/src/s.ts': handler })).toEqual(
      [],
    );
  });

  it('allow a module to check its own files while it is loaded, and programs later', () => {
    const early = "import { existsSync } from 'node:fs';\nexport const a = existsSync(import.meta.filename);\n";
    const later =
      "import { find } from './find';\nexport const a = () => find('a');\nexport const b = { c: () => a() };\n";
    const main = "import { find } from './find';\nconst run = async () => find('a');\nconst a = await run();\n";
    const files = { 'a.ts': early, 'b.ts': later, 'main.ts': main, 'find.ts': find };
    const tree = Object.fromEntries(Object.entries(files).map(([name, text]) => [`tools/start/${name}`, text]));
    expect(violationsOf(tree)).toEqual([]);
  });

  it('allow folders to import each other one way, and tests both ways', () => {
    const user = "import { a } from '../low/a';\nexport const b = a;\n";
    const test = "import { b } from '../high/b';\nexport const c = b;\n";
    const inner = "import { d } from '../d';\nexport const e = d;\n";
    const outer = "import { e } from './inner/e';\nexport const f = e;\n";
    const files = { 'low/a.ts': 'export const a = 1;\n', 'high/b.ts': user, 'low/a.spec.ts': test };
    const nested = { 'one/d.ts': 'export const d = 1;\n', 'one/inner/e.ts': inner, 'one/f.ts': outer };
    const tree = ['gateway/src', 'web/src/kit'].flatMap((folder) =>
      Object.entries({ ...files, ...nested }).map(([name, text]) => [`apps/${folder}/${name}`, text]),
    );
    expect(violationsOf(Object.fromEntries(tree))).toEqual([]);
  });

  const plantedFaults: [string, Files, string][] = [
    [
      'a lib that the table does not allow',
      { 'apps/web/src/a.ts': "import { seal } from '@vigie/vault/seal';\n" },
      'apps/web/src/a.ts:1 imports @vigie/vault/seal: web may import contracts',
    ],
    [
      'a dynamic import that the table does not allow',
      { 'apps/web/src/a.ts': "const a = await import('@vigie/vault/seal');\n" },
      'apps/web/src/a.ts:1 imports @vigie/vault/seal: web may import contracts',
    ],
    [
      'a type that the table does not allow',
      { 'apps/web/src/a.ts': "export type A = import('@vigie/vault/seal').A;\n" },
      'apps/web/src/a.ts:1 imports @vigie/vault/seal: web may import contracts',
    ],
    [
      'another file of contracts than its errors in vault',
      { 'libs/vault/src/a.ts': "import { User } from '@vigie/contracts/users';\n" },
      'libs/vault/src/a.ts:1 imports @vigie/contracts/users: vault may import contracts/errors',
    ],
    [
      'a value of ssh in wordpress, which may have its types',
      {
        'libs/wordpress/src/a.ts': "import type { A } from '@vigie/ssh/a';\nimport { b } from '@vigie/ssh/b';\n",
      },
      'libs/wordpress/src/a.ts:2 imports @vigie/ssh/b: wordpress may import ssh (types), contracts',
    ],
    [
      'the testing lib outside of tests',
      {
        'apps/gateway/src/a.ts': "import { a } from '@vigie/testing/a';\n",
        'apps/gateway/src/a.spec.ts': "import { a } from '@vigie/testing/a';\n",
      },
      'apps/gateway/src/a.ts:1 imports @vigie/testing, which is for tests and tools',
    ],
    [
      'a migration that would run before one above it',
      { 'apps/web/db/database.ts': 'export const a = {\n  migrations: [A1795000000002, B1795000000001],\n};\n' },
      'apps/web/db/database.ts: migration 1795000000001 comes after a later one: give it a higher number',
    ],
    [
      'a lib by a path',
      { 'apps/gateway/src/a.ts': "import { seal } from '../../../libs/vault/src/seal';\n", ...lib },
      'apps/gateway/src/a.ts:1 reaches into libs/vault by a path: import @vigie/vault/<file>',
    ],
    [
      'another app by a path',
      { 'apps/gateway/src/a.ts': "import { main } from '../../auth-svc/src/main';\n" },
      'apps/gateway/src/a.ts:1 imports the app auth-svc: an app is reached by its contracts only',
    ],
    [
      'an app by its name, in a tool too',
      { 'tools/start/main.ts': "import { main } from '@vigie/gateway/main';\n" },
      'tools/start/main.ts:1 imports @vigie/gateway, which is no lib',
    ],
    [
      'a path out of the package',
      { 'libs/vault/src/a.ts': "import { run } from '../../../tools/run';\n" },
      'libs/vault/src/a.ts:1 imports tools/run, which is outside of its package',
    ],
    [
      'a feature of the web in another one',
      { 'apps/web/src/features/sites/Page.tsx': "import { x } from '../backups/backups.api';\n" },
      'apps/web/src/features/sites/Page.tsx:1 the feature sites imports the feature backups: let a page compose them',
    ],
    ...[
      ['kit/list/Table.tsx', '../../features/sites/x', 'kit imports features'],
      ['kit/list/Table.tsx', '../../shell/x', 'kit imports shell'],
      ['features/sites/Page.tsx', '../../shell/x', 'features imports shell'],
      ['ui/Status.tsx', '../kit/x', 'ui imports kit'],
    ].map(([file, from, complaint]): [string, Files, string] => [
      `an upward import in the web: ${complaint}`,
      { [`apps/web/src/${file}`]: `import { x } from '${from}';\n` },
      `apps/web/src/${file}:1 ${complaint}, which stands above it: ui < kit < features < shell`,
    ]),
    [
      'a class that its style sheet lacks',
      { ...styled, 'apps/web/src/ui/a.module.css': '.bar {\n  color: red;\n}\n' },
      'apps/web/src/ui/A.tsx:2 uses the class head, which apps/web/src/ui/a.module.css lacks',
    ],
    [
      'a class that nothing uses',
      { ...styled, 'apps/web/src/ui/a.module.css': '.head .bar,\n.foot:hover > a {\n  color: red;\n}\n' },
      'apps/web/src/ui/a.module.css: nothing uses the class foot',
    ],
    [
      'a second style sheet of a feature',
      { 'apps/web/src/features/sites/Page.module.css': '' },
      'apps/web/src/features/sites/Page.module.css: a feature has one style sheet, sites.module.css',
    ],
    [
      'Node in the browser',
      { 'libs/contracts/src/a.ts': "import { readFileSync } from 'node:fs';\n" },
      'libs/contracts/src/a.ts:1 imports node:fs, but contracts runs in the browser',
    ],
    [
      'another third party than zod in contracts',
      { 'libs/contracts/src/a.ts': "import { Client } from 'ssh2';\n" },
      'libs/contracts/src/a.ts:1 imports ssh2: contracts imports zod only',
    ],
    [
      'a third party that the package does not declare',
      { 'libs/vault/src/a.ts': "import { x } from '@scope/thing/deep';\n" },
      'libs/vault/src/a.ts:1 imports @scope/thing, which libs/vault does not declare',
    ],
    [
      'a lib that the package does not declare',
      { 'apps/gateway/src/a.ts': "import '@vigie/vault/seal';\n", 'apps/gateway/package.json': '{}' },
      'apps/gateway/src/a.ts:1 imports @vigie/vault, which apps/gateway does not declare',
    ],
    [
      'a cycle inside a package',
      { 'libs/vault/src/a.ts': "import './b';\n", 'libs/vault/src/b.ts': "import type { A } from './a';\n" },
      'cycle: libs/vault/src/a.ts → libs/vault/src/b.ts → libs/vault/src/a.ts',
    ],
    [
      'a cycle between two libs',
      { 'libs/testing/src/a.ts': "import '@vigie/vault/b';\n", 'libs/vault/src/b.ts': "import '@vigie/testing/a';\n" },
      'cycle: libs/testing/src/a.ts → libs/vault/src/b.ts → libs/testing/src/a.ts',
    ],
    ...[
      ['gateway/src', 'two folders'],
      ['web/src/kit', 'two parts of the kit'],
      ['web/src/features', 'two features'],
    ].map(([folder, folders]): [string, Files, string] => [
      `a cycle between ${folders} without a cycle of files`,
      {
        [`apps/${folder}/one/a.ts`]: "import '../two/b';\n",
        [`apps/${folder}/one/c.ts`]: 'export type C = 1;\n',
        [`apps/${folder}/two/b.ts`]: 'export const b = 1;\n',
        [`apps/${folder}/two/d.ts`]: "\nimport type { C } from '../one/c';\n",
      },
      `folder cycle: apps/${folder}/one → apps/${folder}/two → apps/${folder}/one (apps/${folder}/one/a.ts:1, apps/${folder}/two/d.ts:2)`,
    ]),
    [
      'a cycle of three folders',
      {
        'apps/gateway/src/one/a.ts': "import '../two/b';\n",
        'apps/gateway/src/one/d.ts': '',
        'apps/gateway/src/two/b.ts': '',
        'apps/gateway/src/two/c.ts': "import '../three/c';\n",
        'apps/gateway/src/three/c.ts': '',
        'apps/gateway/src/three/d.ts': "import '../one/d';\n",
      },
      'folder cycle: apps/gateway/src/one → apps/gateway/src/two → apps/gateway/src/three → apps/gateway/src/one (apps/gateway/src/one/a.ts:1, apps/gateway/src/two/c.ts:1, apps/gateway/src/three/d.ts:1)',
    ],
    [
      'a cycle of a folder through a file beside the folders',
      {
        'apps/gateway/src/one/a.ts': "import '../b';\n",
        'apps/gateway/src/one/c.ts': '',
        'apps/gateway/src/b.ts': "import './one/c';\n",
      },
      'folder cycle: apps/gateway/src/b.ts → apps/gateway/src/one → apps/gateway/src/b.ts (apps/gateway/src/b.ts:1, apps/gateway/src/one/a.ts:1)',
    ],
    [
      'a key pair that is no text',
      {
        'libs/vault/src/a.ts':
          "import { generateKeyPairSync } from 'node:crypto';\nexport const a = generateKeyPairSync('x25519');\n",
      },
      'libs/vault/src/a.ts:2 makes keys that are not text: give generateKeyPairSync the encodings of both',
    ],
    ...[
      "import { existsSync } from 'node:fs';\nexport const a = ['/usr/bin/a', '/bin/a'].find((file) => existsSync(file));\n",
      "import { spawnSync } from 'node:child_process';\nexport const a = spawnSync('a', ['--version']).status === 0;\n",
      "import * as fs from 'node:fs';\nexport class A { static readonly b = fs.existsSync('/usr/lib/b.so'); }\n",
      "import { find } from './find';\nexport const a = find('a');\n",
      "import { find } from './find';\nexport const a = ['a', 'b'].map(find);\n",
    ].map((text): [string, Files, string] => [
      `a program that is looked for too early: ${text.split('\n')[1]}`,
      { 'tools/start/a.ts': text, 'tools/start/find.ts': find },
      'tools/start/a.ts:2 looks for a program while it is being loaded: let a function look',
    ]),
    ['an index file', { 'libs/vault/src/index.ts': '' }, 'libs/vault/src/index.ts: name the file by what it holds'],
    [
      'a default export',
      { 'apps/web/src/A.tsx': 'export default function A() {}\n', 'apps/web/vite.config.ts': 'export default {};\n' },
      'apps/web/src/A.tsx:1 exports a default: give it a name',
    ],
    [
      'a default export by another name',
      { 'apps/web/src/A.tsx': 'const a = 1;\nexport { a as default };\n' },
      'apps/web/src/A.tsx:2 exports a default: give it a name',
    ],
    [
      'a barrel',
      { 'libs/vault/src/a.ts': "export * from './seal';\n", ...lib },
      'libs/vault/src/a.ts:1 re-exports: let the importer import the file it means',
    ],
    [
      'a barrel in two steps',
      { 'libs/vault/src/a.ts': "import { seal } from './seal';\nexport { seal };\n", ...lib },
      'libs/vault/src/a.ts:2 re-exports: let the importer import the file it means',
    ],
    ...['process.env.HOME', "globalThis.process['env']"].map((read): [string, Files, string] => [
      `${read} outside of env files`,
      { 'apps/gateway/src/a.ts': `export const a = ${read};\n`, 'apps/gateway/src/env.ts': 'process.env.HOME;\n' },
      'apps/gateway/src/a.ts:1 reads process.env: declare it in env.ts',
    ]),
    [
      'the environment taken out of process',
      { 'apps/gateway/src/a.ts': 'const { env } = process;\n' },
      'apps/gateway/src/a.ts:1 reads process.env: declare it in env.ts',
    ],
    [
      'the environment imported',
      { 'apps/gateway/src/a.ts': "import { env } from 'node:process';\n" },
      'apps/gateway/src/a.ts:1 reads process.env: declare it in env.ts',
    ],
    [
      'a file of 401 lines',
      { 'libs/wordpress/php/a.php': '\n'.repeat(400) + 'x' },
      'libs/wordpress/php/a.php has 401 lines: 400 at most',
    ],
    ['a contract without a handler', { ...one, ...all }, 'libs/contracts/src/sites.ts: list has no handler'],
    [
      'a contract with two handlers',
      { ...one, ...all, 'apps/sites-svc/src/a.ts': handler, 'apps/dns-svc/src/a.ts': handler },
      'libs/contracts/src/sites.ts: list has 2 handlers: apps/dns-svc/src/a.ts, apps/sites-svc/src/a.ts',
    ],
    [
      'a contract made by a function of its file, without a handler',
      {
        ...all,
        'libs/contracts/src/sites.ts': "const check = () => contract('x', {});\nexport const list = check();\n",
      },
      'libs/contracts/src/sites.ts: list has no handler',
    ],
    [
      'a contract that hands secrets on, without a handler',
      { ...all, 'libs/contracts/src/sites.ts': "export const list = forwarding('x', {});\n" },
      'libs/contracts/src/sites.ts: list has no handler',
    ],
    [
      'a contract that all.ts does not list',
      { ...one, 'libs/contracts/src/all.ts': '', 'apps/sites-svc/src/a.ts': handler },
      'libs/contracts/src/sites.ts is not listed in all.ts',
    ],
    ['a service that loads all contracts', wide, 'libs/service-kit/src/a.ts loads every contract'],
  ];

  it.each(plantedFaults)('refuse %s', (_, files, complaint) => {
    expect(violationsOf(files)).toContain(complaint);
  });
});
