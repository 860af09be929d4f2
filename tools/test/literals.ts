import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** What the interface itself writes: whole texts, and those with holes for data. */
export type Literals = {
  whole: Set<string>;
  holed: { fits: (name: string) => boolean; text: string; weight: number }[];
};

export type Node = { type: string; [field: string]: unknown };

const hole = '\0';

/** All texts of the sources in these folders. */
export function readLiterals(folders: readonly string[]): Literals {
  const texts = new Set<string>();
  for (const folder of folders)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !/\.(spec|d)\.tsx?$/.test(file))
        addTexts(join(folder, file), readFileSync(join(folder, file), 'utf8'), texts);
  return toLiterals(texts);
}

export function addTexts(file: string, source: string, texts: Set<string>): void {
  const visit = (node: Node) => {
    if (isExample(node)) return;
    if (/^(?:Literal|TemplateLiteral|JSXText|JSXElement|JSXFragment)$/.test(node.type))
      for (const text of saidOf(node)) texts.add(text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parse(file, source));
}

/** What a contract gives as an example is data that somebody made up. */
const isExample = ({ type, key }: Node): boolean => type === 'Property' && isNode(key) && key['name'] === 'examples';

export const parse = (file: string, source: string): Node =>
  parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program as unknown as Node;

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

export const tagOf = (element: Node): string => String(((element['openingElement'] as Node)['name'] as Node)['name']);

export function attributeOf(element: Node, name: string): Node | undefined {
  const attributes = (element['openingElement'] as Node)['attributes'] as Node[];
  const found = attributes.find(
    (one) => one.type === 'JSXAttribute' && (one['name'] as Node)['name'] === name && isNode(one['value']),
  );
  return found?.['value'] as Node | undefined;
}

/** The texts that it can be, with a hole for each part that is data. */
export const saidOf = (node: Node, known: Known = new Map()): string[] => [...new Set(textsOf(node, known).map(tidy))];

/** What it is made of has so many forms that those beyond add nothing. */
const max = 16;

/** What the names of a file stand for. */
export type Known = ReadonlyMap<string, Node>;

type Tell = (part: unknown) => string[];

const tellers: Readonly<Record<string, (node: Node, tell: Tell) => string[]>> = {
  JSXText: (node) => [decoded(String(node['value']))],
  Literal: ({ value }) => [typeof value === 'string' ? decoded(value) : ''],
  TemplateLiteral: ({ quasis }) => [
    (quasis as { value: { cooked: string } }[]).map((one) => one.value.cooked).join(hole),
  ],
  JSXElement: (node, tell) => {
    const children = node['children'] as Node[];
    // What a component says by itself is not written here.
    return /^[A-Z]/.test(tagOf(node)) && children.length === 0 ? [hole] : joined(children.map(tell));
  },
  JSXFragment: ({ children }, tell) => joined((children as Node[]).map(tell)),
  JSXExpressionContainer: ({ expression }, tell) => tell(expression),
  JSXEmptyExpression: () => [''],
  ConditionalExpression: ({ consequent, alternate }, tell) => [...tell(consequent), ...tell(alternate)],
  LogicalExpression: ({ operator, right }, tell) => [operator === '&&' ? '' : hole, ...tell(right)],
};

function textsOf(node: Node, known: Known): string[] {
  const meant = node.type === 'Identifier' ? known.get(String(node['name'])) : undefined;
  // Two of one name may lie in each other.
  if (meant) return textsOf(meant, new Map([...known].filter(([, other]) => other !== meant)));
  return tellers[node.type]?.(node, (part) => textsOf(part as Node, known)) ?? [hole];
}

const joined = (parts: readonly string[][]): string[] =>
  parts.reduce((made, part) => made.flatMap((start) => part.map((text) => `${start} ${text}`)).slice(0, max), ['']);

/** The sources name some spaces by their number. */
const decoded = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

export function toLiterals(texts: Iterable<string>): Literals {
  const literals: Literals = { whole: new Set(), holed: [] };
  for (const text of texts) {
    const weight = weightOf(text);
    if (!text.includes(hole)) literals.whole.add(text);
    else if (weight >= 4 && text.length < 200)
      literals.holed.push({ fits: fitting(text), text: holesIn(text), weight });
  }
  literals.holed.sort((one, other) => other.weight - one.weight || one.text.localeCompare(other.text));
  return literals;
}

export const weightOf = (text: string): number => text.replace(/\P{L}/gu, '').length;

export const holesIn = (text: string): string => text.replaceAll(hole, '…').replace(/…(?: …)+/g, '…');

/** Whether a name can have been made from a text with holes. */
export function fitting(text: string): (name: string) => boolean {
  const parts = text.split(hole).map((part) => {
    const words = part.trim().replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    // Beside a space the source has whole words.
    return `${part.startsWith(' ') ? '(?<!\\p{L})' : ''}${words}${part.endsWith(' ') ? '(?!\\p{L})' : ''}`;
  });
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'u');
  // Most names are told apart by this alone, which costs a tenth.
  const [longest = ''] = text
    .split(hole)
    .map((part) => part.trim())
    .toSorted((one, other) => other.length - one.length);
  return (name) => name.includes(longest) && pattern.test(name);
}

export const tidy = (text: string): string => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
