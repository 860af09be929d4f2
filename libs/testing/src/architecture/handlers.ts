import { type ESTree, Visitor } from 'rolldown/utils';
import { bindingsOf, importsOf, isTest, type Source } from './source';

const contractFile = /^libs\/contracts\/src\/([^/]+)\.ts$/;

/** Requires exactly one handler in apps/ for every contract, its file in all.ts, and all.ts in the gateway alone. */
export function contractFaults(sources: readonly Source[]): string[] {
  const features = sources.filter(({ path }) => contractFile.test(path) && !isTest(path));
  const contracts = features.flatMap((source) => contractsOf(source).map((name) => `${fileOf(source)}#${name}`));
  const handled = sources.filter(mayHandle).flatMap(handledContracts);
  return [
    ...contracts.flatMap((key) => countHandlers(key, handled)),
    ...unlisted(features),
    ...sources.filter(loadsEveryContract).map(({ path }) => `${path} loads every contract`),
  ];
}

/** Schemas take memory: all contracts need some megabytes, of which a service uses a part. */
const loadsEveryContract = (source: Source) =>
  /^(?:apps|libs)\/(?!gateway\/|testing\/)/.test(source.path) &&
  !isTest(source.path) &&
  importsOf(source).some(({ from }) => from === '@vigie/contracts/all');

const mayHandle = ({ path, text }: Source) => path.startsWith('apps/') && !isTest(path) && text.includes('@Handles');

const fileOf = ({ path }: Source) => contractFile.exec(path)?.[1] ?? '';

function countHandlers(key: string, handled: readonly { key: string; path: string }[]): string[] {
  const handlers = handled.filter((handler) => handler.key === key);
  const [file, name] = key.split('#');
  if (handlers.length === 1) return [];
  const sentence =
    handlers.length === 0
      ? 'has no handler'
      : `has ${handlers.length} handlers: ${handlers.map((h) => h.path).join(', ')}`;
  return [`libs/contracts/src/${file}.ts: ${name} ${sentence}`];
}

function unlisted(features: readonly Source[]): string[] {
  const all = features.find((source) => fileOf(source) === 'all');
  const listed = new Set(all ? importsOf(all).map(({ from }) => from) : []);
  return features
    .filter((source) => contractsOf(source).length > 0 && !listed.has(`./${fileOf(source)}`))
    .map(({ path }) => `${path} is not listed in all.ts`);
}

/** Finds exports made by `contract(…)` or `forwarding(…)`, or by a function of the same file that calls one. */
function contractsOf(source: Source): string[] {
  const declared = source.program.body.flatMap(declarations);
  const makers = new Set(['contract', 'forwarding']);
  for (const { name, init } of declared) if (isFunction(init) && callsOneOf(makers, init, source)) makers.add(name);
  return declared
    .filter(({ isExported, init }) => isExported && init?.type === 'CallExpression' && isNamed(init.callee, makers))
    .map(({ name }) => name);
}

type Declaration = { name: string; isExported: boolean; init: ESTree.Expression | ESTree.Function | null };

function declarations(statement: ESTree.Directive | ESTree.Statement): Declaration[] {
  const isExported = statement.type === 'ExportNamedDeclaration';
  const declaration = isExported ? statement.declaration : statement;
  if (declaration?.type === 'FunctionDeclaration') {
    return [{ name: declaration.id?.name ?? '', isExported, init: declaration }];
  }
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' ? [{ name: id.name, isExported, init }] : [],
  );
}

const isFunction = (node: Declaration['init']): node is ESTree.Function | ESTree.ArrowFunctionExpression =>
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'FunctionExpression';

const isNamed = (node: ESTree.Expression | ESTree.Super, names: ReadonlySet<string>) =>
  node.type === 'Identifier' && names.has(node.name);

function callsOneOf(names: ReadonlySet<string>, within: { start: number; end: number }, source: Source): boolean {
  let matches = false;
  const isWithin = (node: { start: number; end: number }) => node.start >= within.start && node.end <= within.end;
  new Visitor({
    CallExpression: (node) => {
      matches ||= isWithin(node) && isNamed(node.callee, names);
    },
  }).visit(source.program);
  return matches;
}

/** Finds the contracts named by `@Handles(…)`, as `<file>#<export>`. */
function handledContracts(source: Source): { key: string; path: string }[] {
  const bindings = bindingsOf(source);
  const matches: { key: string; path: string }[] = [];
  new Visitor({
    Decorator: ({ expression }) => {
      if (expression.type !== 'CallExpression' || !isNamed(expression.callee, new Set(['Handles']))) return;
      const [argument] = expression.arguments;
      const bound = argument?.type === 'Identifier' ? bindings.get(argument.name) : undefined;
      if (bound)
        matches.push({ key: `${bound.from.replace('@vigie/contracts/', '')}#${bound.name}`, path: source.path });
    },
  }).visit(source.program);
  return matches;
}
