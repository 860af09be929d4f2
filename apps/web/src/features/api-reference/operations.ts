import { type Answer, type ApiDocument, methods, type OperationObject, resolveAnswer } from './api-document';

export type Operation = Omit<OperationObject, 'tags' | 'summary' | 'responses'> & {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  answers: readonly { status: string; answer: Answer }[];
};

export type Section = { name: string; title: string; operations: readonly Operation[] };

/** All operations by tag, in the order of the document. */
export function sectionsOf(document: ApiDocument): Section[] {
  const operations = operationsOf(document);
  const tags = new Map(document.tags.map((tag) => [tag.name, tag['x-displayName'] ?? tag.description ?? tag.name]));
  for (const { tag } of operations) if (!tags.has(tag)) tags.set(tag, tag);
  return [...tags]
    .map(([name, title]) => ({ name, title, operations: operations.filter(({ tag }) => tag === name) }))
    .filter((section) => section.operations.length > 0);
}

function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [toOperation(document, path, method.toUpperCase(), operation)] : [];
    }),
  );
}

function toOperation({ components }: ApiDocument, path: string, method: string, object: OperationObject): Operation {
  const { operationId, tags, summary, responses, ...rest } = object;
  const id = operationId ?? `${method} ${path}`;
  return {
    ...rest,
    id,
    method,
    path,
    tag: tags[0] ?? 'Autres',
    summary: summary ?? id,
    answers: Object.entries(responses).map(([status, answer]) => ({
      status,
      answer: resolveAnswer(answer, components.responses),
    })),
  };
}

/** Words of a question that say nothing about what is looked for. */
const emptyWords = new Set('comment je on un une le la les l des du de d par avec pour en au aux api route'.split(' '));

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase('fr');

/** Without its ending, so that "sauvegardes" finds "Sauvegarder". */
const stemOf = (word: string) => (word.length > 5 ? word.replace(/(?:er|es|e|s)$/, '') : word);

const wordsOf = (q: string) =>
  fold(q)
    .split(/[^\p{L}\p{N}._/{}-]+/u)
    .filter((word) => word !== '' && !emptyWords.has(word));

/** Says how well an operation fits a search: 0 is not at all. A summary with the very words fits best, if it says little else. */
function rankBy(q: string): (operation: Operation, title: string) => number {
  const words = wordsOf(q);
  const stems = words.map(stemOf);
  return ({ summary, method, path, id, 'x-scope': scope = '' }, title) => {
    const name = fold(summary);
    const text = fold([summary, title, method, path, id, scope].join(' '));
    if (!stems.every((stem) => text.includes(stem))) return 0;
    if (!stems.every((stem) => name.includes(stem))) return 1;
    return words.every((word) => name.includes(word)) ? 3 + 1 / name.length : 2;
  };
}

/** The operations that have all words of a search in their summary, subject, address, id or right; the best come first. */
export function searchSections(sections: readonly Section[], q: string): Section[] {
  const rankOf = rankBy(q);
  return sections
    .map((section) => {
      const ranked = section.operations
        .map((operation) => ({ operation, rank: rankOf(operation, section.title) }))
        .filter(({ rank }) => rank > 0)
        .toSorted((a, b) => b.rank - a.rank);
      return { rank: ranked[0]?.rank ?? 0, section: { ...section, operations: ranked.map((line) => line.operation) } };
    })
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ section }) => section);
}
