import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import styles from './dashboard.module.css';
import { countStates, listLink, type Section } from './fleet';
import { FleetStates } from './FleetStates';

const step = 50;

function SectionLine({ section: { title, filter, sites } }: { section: Section }) {
  return (
    <Group component="li" justify="space-between" gap="0 16px" p="6px var(--gutter)">
      <Group component="span" gap={8} mih="var(--row)">
        {filter ? (
          <Link {...listLink(filter)} className={links['name'] ?? ''}>
            {title}
          </Link>
        ) : (
          <b>{title}</b>
        )}
        <Text span c="muted" fz={13}>
          {plural(sites.length, 'site', 'sites')}
        </Text>
      </Group>
      <FleetStates counts={countStates(sites, filter)} />
    </Group>
  );
}

const countErrors = ({ sites }: Section) => sites.filter(({ status }) => status === 'error').length;

/** The same sections and numbers as the picture in words, those with the most errors first. */
export function FleetList({ sections }: { sections: readonly Section[] }) {
  const [limit, setLimit] = useState(step);
  const worstFirst = useMemo(
    () => sections.toSorted((one, other) => countErrors(other) - countErrors(one)),
    [sections],
  );
  return (
    <div className={styles['scroll']}>
      <Lines aria-label="Votre flotte">
        {worstFirst.slice(0, limit).map((section) => (
          <SectionLine key={section.key} section={section} />
        ))}
      </Lines>
      {sections.length > limit && (
        <Button variant="default" m="12px var(--gutter)" onClick={() => setLimit(limit + step)}>
          Afficher la suite
        </Button>
      )}
    </div>
  );
}
