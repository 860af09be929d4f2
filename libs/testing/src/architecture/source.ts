import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** A parsed file; `path` is relative to the root of the tree, with forward slashes. */
export type Source = { path: string; text: string; program: ESTree.Program };
export type Import = { from: string; typesOnly: boolean; line: number };

const scanned = ['apps', 'libs', 'tools', 'docker', 'k8s'];
const skipped = new Set(['node_modules', 'dist', 'test-results']);
const handWritten = /\.(ts|tsx|mjs|js|css|php|sh)$/;

/** Lists every hand-written file of the tree, committed or not, without built or installed ones. */
export function listFiles(root: string): string[] {
  return scanned
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => walk(root, folder))
    .filter((path) => handWritten.test(path));
}

function walk(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(root, path) : [path];
  });
}

export function parse(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors.map((e) => e.message).join(', ')}`);
  return { path, text, program };
}

export const lineAt = (source: Source, offset: number) => source.text.slice(0, offset).split('\n').length;

const imports = new WeakMap<Source, readonly Import[]>();

/** Finds static and dynamic imports, `export … from` and `import('…')` types. Cached for several rules. */
export function importsOf(source: Source): readonly Import[] {
  const foundImports = imports.get(source) ?? findImports(source);
  imports.set(source, foundImports);
  return foundImports;
}

function findImports(source: Source): Import[] {
  const foundImports: Import[] = [];
  const add = (node: ESTree.Expression | ESTree.StringLiteral | null, typesOnly: boolean) => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return;
    foundImports.push({ from: node.value, typesOnly, line: lineAt(source, node.start) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, importsTypesOnly(node)),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(source.program);
  return foundImports;
}

function importsTypesOnly(node: ESTree.ImportDeclaration): boolean {
  if (node.importKind === 'type') return true;
  const isType = (s: ESTree.ImportDeclarationSpecifier) => s.type === 'ImportSpecifier' && s.importKind === 'type';
  return node.specifiers.length > 0 && node.specifiers.every(isType);
}

/** Lists the files of the tree that an import may mean; none for a third-party package. */
export function candidates(path: string, from: string): string[] {
  if (!from.startsWith('.') && !from.startsWith('@vigie/')) return [];
  const target = from.startsWith('@vigie/')
    ? from.replace(/^@vigie\/([^/]+)\//, 'libs/$1/src/')
    : posix.join(posix.dirname(path), from);
  return [target, `${target}.ts`, `${target}.tsx`];
}

/** Maps each local name of an import to its module and exported name. */
export function bindingsOf(source: Source): Map<string, { from: string; name: string }> {
  const bindings = new Map<string, { from: string; name: string }>();
  for (const node of source.program.body) {
    if (node.type !== 'ImportDeclaration') continue;
    for (const specifier of node.specifiers) {
      const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined;
      const name = imported?.type === 'Identifier' ? imported.name : '*';
      bindings.set(specifier.local.name, { from: node.source.value, name });
    }
  }
  return bindings;
}

export const isTest = (path: string) => /\.spec\.tsx?$/.test(path) || path.startsWith('apps/web/e2e/');
export const isConfig = (path: string) => /\.config\.(ts|js|mjs)$/.test(path);
