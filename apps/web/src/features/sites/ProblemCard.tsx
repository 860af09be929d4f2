import { Box, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteProblem } from '@vigie/contracts/inventory';
import type { Site } from '@vigie/contracts/sites';
import { OctagonX, Stethoscope } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './sites.module.css';
import { titleOf } from '@vigie/contracts/site-words';
import { spellInventory } from './freshness';

type Props = { problem: SiteProblem; state: Site['facts']; canRepair: boolean };

/** Shows the error that stops the site, with a link to the repairs for a person who may make them. */
export function ProblemCard({ problem, state, canRepair }: Props) {
  const heading = useId();
  const { file, line, message, culprit } = problem;
  return (
    <Group
      component="section"
      aria-labelledby={heading}
      wrap="nowrap"
      align="flex-start"
      gap={12}
      p="16px 20px"
      bd="1px solid var(--danger-dot)"
      bdrs="md"
      bg="var(--danger-tint)"
      c="danger"
    >
      <OctagonX size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <Stack gap={8} flex={1} miw={0}>
        <Box component="h2" id={heading} fz={14} lh="24px">
          {titleOf(problem)}
        </Box>
        {file !== null && <Location file={file} line={line} />}
        {message !== '' && <pre className={styles['message']}>{message}</pre>}
        {state && culprit && (culprit.type === 'plugin' || culprit.type === 'theme') && (
          <Text fz={13} c="var(--text)">
            {spellInventory({ depth: state.depth, problem })}
          </Text>
        )}
        {canRepair && (
          <div>
            <RepairsLink>Voir ce que Vigie propose</RepairsLink>
          </div>
        )}
      </Stack>
    </Group>
  );
}

const Location = ({ file, line }: { file: string; line: number | null }) => (
  <p>
    <Text component="code" ff="monospace" fz={13} lh="20px" fw={600} c="var(--text)">
      {line === null ? file : `${file}:${line}`}
    </Text>
  </p>
);

/** Opens the repairs beside any tab of the site. */
export const RepairsLink = ({ look, children = 'Site cassé\u202f?' }: { look?: ButtonProps; children?: ReactNode }) => (
  <Button
    variant="default"
    {...look}
    leftSection={<Stethoscope size={16} aria-hidden />}
    renderRoot={(props) => (
      <Link
        {...props}
        to="."
        search={(shown: object) => ({ ...shown, repairs: true })}
        replace
        resetScroll={false}
        preload={false}
      />
    )}
  >
    {children}
  </Button>
);
