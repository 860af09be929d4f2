import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ESTree, Visitor } from 'rolldown/utils';
import { bindingsOf, isConfig, lineAt, type Source } from './source';

const maxLines = 400;

export function longFiles(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;
    return lines > maxLines ? [`${path} has ${lines} lines: ${maxLines} at most`] : [];
  });
}

export function indexFiles(paths: readonly string[]): string[] {
  return paths
    .filter((path) => basename(path).startsWith('index.'))
    .map((path) => `${path}: name the file by what it holds`);
}

export function defaultExports(sources: readonly Source[]): string[] {
  const isDefault = (node: ESTree.ExportSpecifier) =>
    node.exported.type === 'Identifier' && node.exported.name === 'default';
  return collect(
    // Declaration files describe exports of third parties.
    sources.filter(({ path, text }) => /\bdefault\b/.test(text) && !isConfig(path) && !path.endsWith('.d.ts')),
    'exports a default: give it a name',
    (complain) => ({
      ExportDefaultDeclaration: complain,
      ExportSpecifier: (node) => isDefault(node) && complain(node),
    }),
  );
}

const mayReExport = ({ text }: Source) => /\bexport\s*(type\s*)?[{*]/.test(text);

export function reExports(sources: readonly Source[]): string[] {
  return sources.filter(mayReExport).flatMap((source) => {
    const imported = bindingsOf(source);
    const isImported = ({ local }: ESTree.ExportSpecifier) => local.type === 'Identifier' && imported.has(local.name);
    return collect([source], 're-exports: let the importer import the file it means', (complain) => ({
      ExportAllDeclaration: complain,
      ExportNamedDeclaration: (node) => (node.source ?? node.specifiers.some(isImported)) && complain(node),
    }));
  });
}

const mayReadEnvironment = (path: string) =>
  basename(path) === 'env.ts' || isConfig(path) || path.startsWith('tools/') || path.startsWith('libs/testing/');

export function environmentReads(sources: readonly Source[]): string[] {
  const isProcess = (node: ESTree.Expression | ESTree.Super) =>
    (node.type === 'Identifier' && node.name === 'process') ||
    (node.type === 'MemberExpression' && propertyName(node) === 'process');
  return collect(
    sources.filter(({ path, text }) => /\bprocess\b/.test(text) && !mayReadEnvironment(path)),
    'reads process.env: declare it in env.ts',
    (complain) => ({
      MemberExpression: (node) => propertyName(node) === 'env' && isProcess(node.object) && complain(node),
      VariableDeclarator: (node) =>
        node.id.type === 'ObjectPattern' && node.init && isProcess(node.init) && takesEnv(node.id) && complain(node),
      ImportDeclaration: (node) => importsEnv(node) && complain(node),
    }),
  );
}

function propertyName(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === 'Literal') return String(node.property.value);
  return node.property.type === 'Identifier' ? node.property.name : undefined;
}

const takesEnv = (pattern: ESTree.ObjectPattern) =>
  pattern.properties.some((p) => p.type === 'Property' && p.key.type === 'Identifier' && p.key.name === 'env');

const importsEnv = ({ source, specifiers }: ESTree.ImportDeclaration) =>
  /^(node:)?process$/.test(source.value) &&
  specifiers.some(
    (s) => s.type !== 'ImportSpecifier' || (s.imported.type === 'Identifier' && s.imported.name === 'env'),
  );

/** In Node 20, exporting a generated key object while its generator is garbage-collected deadlocks the process. */
export const keyPairsAsObjects = (sources: readonly Source[]): string[] =>
  collect(
    sources.filter(({ text }) => text.includes('generateKeyPairSync')),
    'makes keys that are not text: give generateKeyPairSync the encodings of both',
    (complain) => ({
      CallExpression: ({ callee, arguments: [, options], start }) =>
        callee.type === 'Identifier' &&
        callee.name === 'generateKeyPairSync' &&
        !(options && isText(options)) &&
        complain({ start }),
    }),
  );

const isText = (options: ESTree.Argument) =>
  options.type === 'ObjectExpression' &&
  options.properties.some((one) => one.type === 'Property' && isEncoding(one.key));

const isEncoding = (key: ESTree.PropertyKey) => key.type === 'Identifier' && key.name === 'privateKeyEncoding';

type Complain = (node: { start: number }) => void;

/** Walking syntax trees is slow, so rules pass only sources that contain their keyword. */
function collect(
  sources: readonly Source[],
  sentence: string,
  visitor: (complain: Complain) => ConstructorParameters<typeof Visitor>[0],
): string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    new Visitor(visitor((node) => found.push(`${source.path}:${lineAt(source, node.start)} ${sentence}`))).visit(
      source.program,
    );
    return found;
  });
}

/** TypeORM runs migrations by the number in their class, whatever the order of the list. */
export function misplacedMigrations(sources: readonly Source[]): string[] {
  const lists = sources.filter(({ path }) => path.endsWith('/db/database.ts'));
  return lists.flatMap(({ path, text }) => {
    const [, list = ''] = /migrations: \[([^\]]*)\]/.exec(text) ?? [];
    const numbers = [...list.matchAll(/\d{13}/g)].map(([number]) => Number(number));
    const misplaced = numbers.find((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0));
    return misplaced ? [`${path}: migration ${misplaced} comes after a later one: give it a higher number`] : [];
  });
}
