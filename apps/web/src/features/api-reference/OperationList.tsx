import { Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronRight, SearchX } from 'lucide-react';
import { Fragment, type KeyboardEvent, useState } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { Method } from './Method';
import type { Operation, Section } from './operations';
import styles from './api-reference.module.css';

/** Breaks where a part ends. */
const Path = ({ path }: { path: string }) =>
  path.split(/(?=\/)/).map((part, index) => (
    // The parts of a path never move.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ));

type LinesProps = {
  operations: readonly Operation[];
  q: string | undefined;
  chosen: string | undefined;
  onChoose: () => void;
};

const OperationLines = ({ operations, q, chosen, onChoose }: LinesProps) => (
  <ul>
    {operations.map(({ id, method, path, summary }) => (
      <li key={id}>
        <Link
          to="/reference"
          search={{ q, operation: id }}
          className={styles['line']}
          aria-current={id === chosen ? 'page' : undefined}
          data-line
          onClick={onChoose}
        >
          <Method method={method} />
          <span>
            {summary}
            {q !== undefined && (
              <Text component="span" display="block" variant="hint">
                <Path path={path} />
              </Text>
            )}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

type SectionProps = Omit<LinesProps, 'operations'> & { section: Section };

/** The part that holds the operation that is shown is open. */
function FoldedSection({ section: { title, operations }, ...rest }: SectionProps) {
  const isCurrent = operations.some(({ id }) => id === rest.chosen);
  const [isOpen, setOpen] = useState(isCurrent);
  return (
    <details open={isOpen || undefined} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles['section']} data-line>
        <ChevronRight size={14} aria-hidden />
        <span>{title}</span>
        <Text span c="subtle" fz={12} aria-label={plural(operations.length, 'route', 'routes')}>
          {operations.length}
        </Text>
      </summary>
      {isOpen && <OperationLines operations={operations} {...rest} />}
    </details>
  );
}

const FoundSection = ({ section: { title, operations }, ...rest }: SectionProps) => (
  <div>
    <p className={styles['section']}>{title}</p>
    <OperationLines operations={operations} {...rest} />
  </div>
);

/** The arrows move through the lines that are shown. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const at = lines.findIndex((line) => line === event.target);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  lines[at + step]?.focus();
}

type Props = {
  sections: readonly Section[];
  q: string | undefined;
  chosen: string | undefined;
  onChoose: () => void;
};

/** The operations by subject; those that a search found are all shown, with their addresses. */
export function OperationList({ sections, q, chosen, onChoose }: Props) {
  const SectionView = q === undefined ? FoldedSection : FoundSection;
  const count = sections.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <Box component="nav" aria-label="Routes de l’API" onKeyDown={moveFocus}>
      <output className={styles['count']}>
        {q !== undefined && plural(count, 'route trouvée', 'routes trouvées')}
      </output>
      {q !== undefined && count === 0 && (
        <EmptyState icon={SearchX} title="Aucune route trouvée">
          <p>Essayez un autre mot, une partie du chemin ou le nom d’un droit.</p>
        </EmptyState>
      )}
      {q === undefined && (
        <Link
          to="/reference"
          search={{}}
          className={styles['line']}
          aria-current={chosen === undefined ? 'page' : undefined}
          activeOptions={{ exact: true }}
          data-line
        >
          Introduction
        </Link>
      )}
      {sections.map((section) => (
        <SectionView key={section.name} section={section} q={q} chosen={chosen} onChoose={onChoose} />
      ))}
    </Box>
  );
}
