import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** The texts in the source of the interface: complete ones, and templates with placeholders for data. */
export type Literals = {
  texts: Set<string>;
  templates: { fits: (name: string) => boolean; text: string; weight: number }[];
};

export type Node = { type: string; [field: string]: unknown };

const placeholder = '\0';

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
      for (const text of textsIn(node)) texts.add(text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parse(file, source));
}

/** Examples in a contract are made-up data. */
const isExample = ({ type, key }: Node): boolean => type === 'Property' && isNode(key) && key['name'] === 'examples';

export const parse = (file: string, source: string): Node =>
  parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program as unknown as Node;

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

export const tagOf = (element: Node): string => String(((element['openingElement'] as Node)['name'] as Node)['name']);

export function attributeOf(element: Node, name: string): Node | undefined {
  const attributes = (element['openingElement'] as Node)['attributes'] as Node[];
  const attribute = attributes.find(
    (first) => first.type === 'JSXAttribute' && (first['name'] as Node)['name'] === name && isNode(first['value']),
  );
  return attribute?.['value'] as Node | undefined;
}

/** The texts that a node can render, with a placeholder for each part that is data. */
export const textsIn = (node: Node, constants: Constants = new Map()): string[] => [
  ...new Set(expandNode(node, constants).map(normaliseSpaces)),
];

/** Further variants of a text would not match more names. */
const maxVariants = 16;

export type Constants = ReadonlyMap<string, Node>;

type Expand = (part: unknown) => string[];

const expanders: Readonly<Record<string, (node: Node, expand: Expand) => string[]>> = {
  JSXText: (node) => [decodeReferences(String(node['value']))],
  Literal: ({ value }) => [typeof value === 'string' ? decodeReferences(value) : ''],
  TemplateLiteral: ({ quasis }) => [
    (quasis as { value: { cooked: string } }[]).map((first) => first.value.cooked).join(placeholder),
  ],
  JSXElement: (node, expand) => {
    const children = node['children'] as Node[];
    // The text of a component without children is in its own source.
    return /^[A-Z]/.test(tagOf(node)) && children.length === 0 ? [placeholder] : joinTexts(children.map(expand));
  },
  JSXFragment: ({ children }, expand) => joinTexts((children as Node[]).map(expand)),
  JSXExpressionContainer: ({ expression }, expand) => expand(expression),
  JSXEmptyExpression: () => [''],
  ConditionalExpression: ({ consequent, alternate }, expand) => [...expand(consequent), ...expand(alternate)],
  LogicalExpression: ({ operator, right }, expand) => [operator === '&&' ? '' : placeholder, ...expand(right)],
};

function expandNode(node: Node, constants: Constants): string[] {
  const value = node.type === 'Identifier' ? constants.get(String(node['name'])) : undefined;
  // A constant may refer to another one of the same name, so it must not be expanded twice.
  if (value) return expandNode(value, new Map([...constants].filter(([, second]) => second !== value)));
  return expanders[node.type]?.(node, (part) => expandNode(part as Node, constants)) ?? [placeholder];
}

const joinTexts = (parts: readonly string[][]): string[] =>
  parts.reduce(
    (prefixes, part) => prefixes.flatMap((start) => part.map((text) => `${start} ${text}`)).slice(0, maxVariants),
    [''],
  );

/** Replaces numeric character references, which the sources use for some spaces. */
const decodeReferences = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

export function toLiterals(texts: Iterable<string>): Literals {
  const literals: Literals = { texts: new Set(), templates: [] };
  for (const text of texts) {
    const weight = countLetters(text);
    if (!text.includes(placeholder)) literals.texts.add(text);
    else if (weight >= 4 && text.length < 200)
      literals.templates.push({ fits: nameMatcher(text), text: showPlaceholders(text), weight });
  }
  literals.templates.sort((first, second) => second.weight - first.weight || first.text.localeCompare(second.text));
  return literals;
}

export const countLetters = (text: string): number => text.replace(/\P{L}/gu, '').length;

export const showPlaceholders = (text: string): string => text.replaceAll(placeholder, '…').replace(/…(?: …)+/g, '…');

/** Returns a test for names that a template can produce. */
export function nameMatcher(text: string): (name: string) => boolean {
  const parts = text.split(placeholder).map((part) => {
    const words = part.trim().replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    // Text next to a space in the template consists of whole words.
    return `${part.startsWith(' ') ? '(?<!\\p{L})' : ''}${words}${part.endsWith(' ') ? '(?!\\p{L})' : ''}`;
  });
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'u');
  // This check rules most names out at a tenth of the cost.
  const [longest = ''] = text
    .split(placeholder)
    .map((part) => part.trim())
    .toSorted((first, second) => second.length - first.length);
  return (name) => name.includes(longest) && pattern.test(name);
}

export const normaliseSpaces = (text: string): string => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
