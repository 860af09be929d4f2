import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OrderProposal, ProposalLine } from '@vigie/contracts/proposals';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import planLine from '../../ui/PlanLine.module.css';
import { SectionCard } from '../../ui/SectionCard';
import { groupBySite, kindWords, versionsOf } from './words';

function Line({ line }: { line: ProposalLine }) {
  const { kind, slug, name, warnings, refusal } = line;
  return (
    <li className={planLine['what']} style={{ overflowWrap: 'anywhere' }}>
      <Text component="span" fw={500}>
        {name}
      </Text>{' '}
      {kind !== null && <Text component="span" c="muted">{`(${kindWords[kind]} ${slug ?? ''})`}</Text>}{' '}
      <Text component="span" c="muted">
        {versionsOf(line)}
      </Text>
      {refusal !== null && <p className={planLine['refusal']}>{`Ne sera pas fait\u00a0: ${refusal}`}</p>}
      {warnings.map((text) => (
        <p key={text} className={planLine['warning']}>
          {text}
        </p>
      ))}
    </li>
  );
}

/** The plan as it was stored, site by site. */
export function ProposalPlan({ proposal: { plan, notes } }: { proposal: OrderProposal }) {
  return (
    <SectionCard title="Ce qui sera fait">
      <Lines>
        {groupBySite(plan).map(({ id, name, url, lines }) => (
          <li key={id}>
            <Stack gap={4} py={10}>
              <h3>
                <Link to="/sites/$siteId" params={{ siteId: id }} className={links['name'] ?? ''}>
                  {name}
                </Link>
              </h3>
              {url !== null && (
                <Text variant="hint" style={{ overflowWrap: 'anywhere' }}>
                  {url}
                </Text>
              )}
              <Stack component="ul" gap={4} aria-label={name}>
                {lines.map((line) => (
                  <Line key={`${line.kind} ${line.slug}`} line={line} />
                ))}
              </Stack>
            </Stack>
          </li>
        ))}
      </Lines>
      {notes.length > 0 && (
        <ul aria-label="À savoir" className={planLine['notes']}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}
