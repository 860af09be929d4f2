import { basename } from 'node:path';
import type { ESTree } from 'rolldown/utils';
import { bindingsOf, candidates, isConfig, isTest, lineAt, type Source } from './source';

/** What a piece of code does when it runs, as far as this rule needs to know. */
type Traits = {
  startsProgram: boolean;
  checksFile: boolean;
  /** The code contains the path of a system folder, or PATH. */
  namesSystem: boolean;
};
type Binding = { from: string; name: string };
type Module = { source: Source; declared: Map<string, ESTree.Node>; bindings: Map<string, Binding> };

const programStarters = /^(spawn|exec|execFile|spawnSync|execSync|execFileSync)$/;
const fileChecks = /^(exists|access|l?stat|readdir|realpath|readlink|glob)(Sync)?$/;
const systemFolder = /^\/(usr|s?bin|lib(32|64)?|opt)(\/|$)/;
/** Methods that call their arguments at once. */
const eagerMethods = /^(map|flatMap|filter|find|findLast|findIndex|some|every|forEach|reduce|sort|toSorted|from)$/;
const noTraits: Traits = { startsProgram: false, checksFile: false, namesSystem: false };

/**
 * `npm start` installs missing programs after its modules are loaded, so a module that searches for a program while it
 * is loaded finds it only at the second start. What an entry file awaits (`await main()`) may search.
 */
export function earlyLookups(sources: readonly Source[]): string[] {
  const lookups = new Lookups(sources);
  return sources
    .filter(({ path }) => !isTest(path) && !isConfig(path))
    .flatMap((source) => {
      const found = source.program.body.filter(
        (statement) => !isRun(source, statement) && lookups.isEarly(source, statement),
      );
      return found.map(
        ({ start }) =>
          `${source.path}:${lineAt(source, start)} looks for a program while it is being loaded: let a function look`,
      );
    });
}

const isRun = ({ path, text }: Source, { type, start, end }: ESTree.Node) =>
  /^(main|migrate|admin|key-worker)\.ts$/.test(basename(path)) &&
  (type === 'ExpressionStatement' || /\bawait\b/.test(text.slice(start, end)));

class Lookups {
  private readonly modules: Map<string, Module>;
  private readonly computedTraits = new Map<ESTree.Node, Traits>();

  constructor(sources: readonly Source[]) {
    this.modules = new Map(sources.map((source) => [source.path, moduleOf(source)]));
  }

  isEarly({ path }: Source, statement: ESTree.Node): boolean {
    const module = this.modules.get(path);
    if (!module) return false;
    const { startsProgram, checksFile, namesSystem } = this.sum(module, runAtOnce(statement));
    return startsProgram || (checksFile && namesSystem);
  }

  private sum(module: Module, nodes: readonly ESTree.Node[]): Traits {
    const sum = { ...noTraits };
    for (const node of nodes) {
      const { startsProgram, checksFile, namesSystem } = this.traitsOf(module, node);
      sum.startsProgram ||= startsProgram;
      sum.checksFile ||= checksFile;
      sum.namesSystem ||= namesSystem;
    }
    return sum;
  }

  private traitsOf(module: Module, node: ESTree.Node): Traits {
    if (node.type === 'Literal') return { ...noTraits, namesSystem: isSystemPath(node.value) };
    if (node.type === 'TemplateElement') return { ...noTraits, namesSystem: isSystemPath(node.value.cooked) };
    if (node.type === 'Identifier') return { ...noTraits, namesSystem: this.standsForSystem(module, node.name) };
    if (node.type === 'CallExpression' || node.type === 'NewExpression') return this.sumOfCalled(module, node);
    return noTraits;
  }

  /** Traits of the called function, and of callbacks that an eager method calls at once. */
  private sumOfCalled(
    module: Module,
    { callee, arguments: callArguments }: ESTree.CallExpression | ESTree.NewExpression,
  ): Traits {
    const isEager = callee.type === 'MemberExpression' && eagerMethods.test(nameOf(callee.property) ?? '');
    const called = [callee, ...(isEager ? callArguments : [])].map((node) => this.bodyOf(module, node));
    const traits = called.filter((one) => one !== undefined);
    return {
      startsProgram: traits.some(({ startsProgram }) => startsProgram),
      checksFile: traits.some(({ checksFile }) => checksFile),
      namesSystem: traits.some(({ namesSystem }) => namesSystem),
    };
  }

  private bodyOf(module: Module, called: ESTree.Node): Traits | undefined {
    if (called.type === 'Identifier') return this.traitsOfName(module, called.name);
    if (called.type !== 'MemberExpression' || called.object.type !== 'Identifier') return undefined;
    const binding = module.bindings.get(called.object.name);
    return binding && builtinTraits({ from: binding.from, name: nameOf(called.property) ?? '' });
  }

  private traitsOfName(module: Module, name: string): Traits | undefined {
    const declared = module.declared.get(name);
    if (declared) return this.traitsOfDeclared(module, declared);
    const binding = module.bindings.get(name);
    if (!binding) return undefined;
    const path = candidates(module.source.path, binding.from).find((candidate) => this.modules.has(candidate));
    const other = path === undefined ? undefined : this.modules.get(path);
    return other ? this.traitsOfName(other, binding.name) : builtinTraits(binding);
  }

  private traitsOfDeclared(module: Module, node: ESTree.Node): Traits {
    const computed = this.computedTraits.get(node);
    if (computed) return computed;
    // A recursive call adds no traits.
    this.computedTraits.set(node, noTraits);
    const traits = this.sum(module, runByCall(node));
    this.computedTraits.set(node, traits);
    return traits;
  }

  /** A constant that contains system folders counts as their name. */
  private standsForSystem({ declared }: Module, name: string): boolean {
    const node = declared.get(name);
    return node !== undefined && !isFunction(node) && node.type !== 'ClassDeclaration' && namesSystemIn(node);
  }
}

function moduleOf(source: Source): Module {
  const declared = new Map<string, ESTree.Node>();
  for (const statement of source.program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration')
      declared.set(declaration.id?.name ?? '', declaration);
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init) declared.set(id.name, init);
  }
  return { source, declared, bindings: bindingsOf(source) };
}

function builtinTraits({ from, name }: Binding): Traits {
  const isFiles = /^(node:)?fs(\/promises)?$/.test(from);
  const isPrograms = /^(node:)?child_process$/.test(from);
  return {
    ...noTraits,
    startsProgram: isPrograms && programStarters.test(name),
    checksFile: isFiles && fileChecks.test(name),
  };
}

const isSystemPath = (text: unknown) => typeof text === 'string' && (text === 'PATH' || systemFolder.test(text));

const namesSystemIn = (node: ESTree.Node) =>
  everythingIn(node).some(
    (one) =>
      (one.type === 'Literal' && isSystemPath(one.value)) ||
      (one.type === 'TemplateElement' && isSystemPath(one.value.cooked)),
  );

const nameOf = (node: ESTree.Node) => (node.type === 'Identifier' ? node.name : undefined);

const isFunction = ({ type }: ESTree.Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** Nodes that run when a function is called or a class is instantiated. */
function runByCall(node: ESTree.Node): ESTree.Node[] {
  if (isFunction(node)) return childrenOf(node).flatMap(runAtOnce);
  if (node.type !== 'ClassDeclaration') return everythingIn(node);
  return node.body.body.flatMap((member) => {
    if (member.type === 'MethodDefinition') return member.kind === 'constructor' ? runByCall(member.value) : [];
    return member.type === 'PropertyDefinition' && !member.static && member.value ? runAtOnce(member.value) : [];
  });
}

/** Nodes that run at once, without bodies of mere function definitions and without instance fields. */
function runAtOnce(node: ESTree.Node): ESTree.Node[] {
  if (isFunction(node) || (node.type === 'PropertyDefinition' && !node.static)) return [];
  const run = (child: ESTree.Node) =>
    node.type === 'CallExpression' && isFunction(child) && callsAtOnce(node, child)
      ? runByCall(child)
      : runAtOnce(child);
  return [node, ...childrenOf(node).flatMap(run)];
}

const everythingIn = (node: ESTree.Node): ESTree.Node[] => [node, ...childrenOf(node).flatMap(everythingIn)];

const callsAtOnce = ({ callee }: ESTree.CallExpression, child: ESTree.Node) =>
  callee === child || (callee.type === 'MemberExpression' && eagerMethods.test(nameOf(callee.property) ?? ''));

function childrenOf(node: ESTree.Node): ESTree.Node[] {
  return Object.values(node).flat().filter(isNode);
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
