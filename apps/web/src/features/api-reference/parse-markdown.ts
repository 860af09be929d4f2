/** A piece of a line. */
export type Inline = { kind: 'text' | 'code' | 'strong'; text: string };

export type Block =
  | { kind: 'heading' | 'paragraph'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: readonly string[] }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'code'; text: string };

const fence = '```';
const listItem = /^\s*(?:[-*]|(\d+)\.)\s+/;
const isTableRow = (line: string) => line.trimStart().startsWith('|');
const isStart = (line: string) =>
  line.startsWith(fence) || /^#{1,6}\s/.test(line) || listItem.test(line) || isTableRow(line);

/** Reads the small part of Markdown that the descriptions of the API use. What it does not know stays text. */
export function parseMarkdown(source: string): Block[] {
  const lines = source.replaceAll('\r', '').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = readBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number): [Block | undefined, next: number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  if (line.startsWith(fence)) {
    const end = endOf(lines, at + 1, (other) => !other.startsWith(fence));
    return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1];
  }
  if (/^#{1,6}\s/.test(line)) return [{ kind: 'heading', text: line.replace(/^#+\s+/, '') }, at + 1];
  if (isTableRow(line)) {
    const end = endOf(lines, at, isTableRow);
    return [tableOf(lines.slice(at, end)), end];
  }
  if (listItem.test(line)) {
    const end = endOf(lines, at, (other) => other.trim() !== '' && (listItem.test(other) || /^\s/.test(other)));
    return [listOf(lines.slice(at, end)), end];
  }
  const end = endOf(lines, at + 1, (other) => other.trim() !== '' && !isStart(other));
  return [
    {
      kind: 'paragraph',
      text: lines
        .slice(at, end)
        .map((part) => part.trim())
        .join(' '),
    },
    end,
  ];
}

function endOf(lines: readonly string[], from: number, isWithin: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && isWithin(lines[end] ?? '')) end += 1;
  return end;
}

function listOf(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (listItem.test(line)) items.push(line.replace(listItem, '').trim());
    // An indented line goes on with the item above it.
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', isOrdered: listItem.exec(lines[0] ?? '')?.[1] !== undefined, items };
}

function tableOf(lines: readonly string[]): Block {
  const [head = [], ...rows] = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .replaceAll(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    );
  return { kind: 'table', head, rows };
}

/** Cuts a line into text, `code` and **strong** text. */
export const parseInline = (text: string): Inline[] =>
  text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (/^`[^`]+`$/.test(part)) return { kind: 'code', text: part.slice(1, -1) };
      return /^\*\*[^*]+\*\*$/.test(part) ? { kind: 'strong', text: part.slice(2, -2) } : { kind: 'text', text: part };
    });
