import { Button, Group, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import brief from '../../ui/Brief.module.css';
import { Card } from '../../ui/Card';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { useFocusHandOver } from '../../ui/focus';
import links from '../../ui/links.module.css';
import styles from './dashboard.module.css';
import { useSummary } from './dashboard.api';
import { areStepsHidden, hideSteps } from './hidden-steps';
import { type Step, firstSteps } from './words';

const stepLinks: Readonly<Record<Step['id'], LinkProps>> = {
  server: { to: '/servers', search: { add: true } },
  sites: { to: '/servers' },
  backup: { to: '/sites' },
  'two-factor': { to: '/security/2fa' },
};

type LineProps = { step: Step; isBrief: boolean };

const Line = ({ step: { id, title, about, isDone }, isBrief }: LineProps) => (
  <li className={styles['step']} data-done={isDone || undefined}>
    {isDone ? (
      <CircleCheck size={20} strokeWidth={1.75} aria-hidden />
    ) : (
      <Circle size={20} strokeWidth={1.5} aria-hidden />
    )}
    <div>
      {isDone ? (
        <p>
          {title}
          <VisuallyHidden>{'\u00a0: fait'}</VisuallyHidden>
        </p>
      ) : (
        <Link {...stepLinks[id]} className={links['within'] ?? ''}>
          {title}
        </Link>
      )}
      {!isDone && !isBrief && <Text variant="note">{about}</Text>}
    </div>
  </li>
);

type Props = {
  /** Undefined until it is read. */
  userId: string | undefined;
  /** Undefined until it is read. */
  hasTwoFactor: boolean | undefined;
};

function HideButton({ onClick }: { onClick: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('#summary a');
  return (
    <Button
      ref={button}
      variant="default"
      className={brief['brief']}
      ml="auto"
      leftSection={<X size={16} aria-hidden />}
      onClick={onClick}
    >
      <span className={brief['words']}>Masquer les premiers pas</span>
    </Button>
  );
}

/** The steps to set up a console, until all are done or the user hides them. Once there are sites, only those left, in a line. */
export function FirstSteps({ userId, hasTwoFactor }: Props) {
  const [isHidden, setHidden] = useState(() => areStepsHidden(userId));
  const { data, isError } = useSummary();
  const steps = data && userId !== undefined && hasTwoFactor !== undefined ? firstSteps(data, hasTwoFactor) : undefined;
  const left = steps?.filter(({ isDone }) => !isDone);
  const isOver = left?.length === 0;
  useEffect(() => {
    // The next visit then does not wait for them.
    if (isOver) hideSteps(userId);
  }, [isOver, userId]);
  if (isHidden || isOver || isError) return null;
  if (!data || !steps || !left) return <Card data-loading h={168} style={{ visibility: 'hidden' }} />;
  const isBrief = data.counts.sites > 0;
  const hide = () => {
    hideSteps(userId);
    setHidden(true);
  };
  return (
    <Card component="section" aria-labelledby="first-steps" p={`${isBrief ? 8 : 12}px var(--gutter)`}>
      <Group gap="4px 16px">
        <h2 id="first-steps">Premiers pas</h2>
        <Text variant="note">{`${steps.length - left.length} sur ${steps.length}`}</Text>
        {isBrief && <Steps steps={left} isBrief />}
        <HideButton onClick={hide} />
      </Group>
      {!isBrief && <Steps steps={steps} isBrief={false} />}
    </Card>
  );
}

const Steps = ({ steps, isBrief }: { steps: readonly Step[]; isBrief: boolean }) => (
  <ol className={isBrief ? styles['left'] : styles['steps']}>
    {steps.map((step) => (
      <Line key={step.id} step={step} isBrief={isBrief} />
    ))}
  </ol>
);
