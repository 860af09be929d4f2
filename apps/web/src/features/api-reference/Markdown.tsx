import { Stack } from '@mantine/core';
import { type Block, parseInline, parseMarkdown } from './parse-markdown';
import { CodeBox } from '../../ui/CodeBox';
import styles from './api-reference.module.css';

/** A line with its code and strong words. React writes them as text, so that no description brings HTML in. */
export const Inline = ({ text }: { text: string }) =>
  parseInline(text).map(({ kind, text: part }, index) => {
    if (kind === 'text') return part;
    const Tag = kind;
    return (
      // The parts of a text never move.
      // oxlint-disable-next-line react/no-array-index-key
      <Tag key={index} className={styles[kind]}>
        {part}
      </Tag>
    );
  });

function ListBlock({ isOrdered, items }: { isOrdered: boolean; items: readonly string[] }) {
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <List className={styles['list']}>
      {items.map((item) => (
        <li key={item}>
          <Inline text={item} />
        </li>
      ))}
    </List>
  );
}

/** The head of a table stands before each cell where the columns do not fit. */
const TableBlock = ({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) => (
  <table className={styles['table']}>
    <thead>
      <tr>
        {head.map((cell) => (
          <th key={cell} scope="col">
            <Inline text={cell} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.join('|')}>
          {head.map((name, column) => (
            <td key={name}>
              <Inline text={row[column] ?? ''} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'list') return <ListBlock {...block} />;
  if (block.kind === 'table') return <TableBlock {...block} />;
  if (block.kind === 'code') return <CodeBox>{block.text}</CodeBox>;
  const Tag = block.kind === 'heading' ? 'h3' : 'p';
  return (
    <Tag>
      <Inline text={block.text} />
    </Tag>
  );
}

/** A description of the API. */
export const Markdown = ({ source }: { source: string }) => (
  <Stack gap={10} maw={760} className={styles['prose'] ?? ''}>
    {parseMarkdown(source).map((block, index) => (
      // The blocks of a text never move.
      // oxlint-disable-next-line react/no-array-index-key
      <BlockView key={index} block={block} />
    ))}
  </Stack>
);
