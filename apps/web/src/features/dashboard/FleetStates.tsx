import { Group, type GroupProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import links from '../../ui/links.module.css';
import { formatNumber } from '../../ui/plural';
import styles from './dashboard.module.css';
import type { Count } from './fleet';
import { Swatch } from './FleetCanvas';

function State({ count: { tone, word, count, to } }: { count: Count }) {
  const content = (
    <>
      <Swatch tone={tone} />
      {`${word} ${formatNumber(count)}`}
    </>
  );
  return to ? (
    <Link {...to} className={`${links['within'] ?? ''} ${styles['state'] ?? ''}`}>
      {content}
    </Link>
  ) : (
    <span className={styles['state']}>{content}</span>
  );
}

/** Numbers of sites by state, each with its colour and a link to the list. */
export const FleetStates = ({ counts, ...rest }: GroupProps & { counts: readonly Count[] }) => (
  <Group component="ul" gap="0 16px" fz={13} {...rest}>
    {counts.map((count) => (
      <li key={count.tone}>
        <State count={count} />
      </li>
    ))}
  </Group>
);
