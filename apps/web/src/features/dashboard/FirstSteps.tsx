import { Button, Group, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../ui/Card';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { useFocusHandOver } from '../../ui/focus';
import { readLocal, writeLocal } from '../../ui/storage';
import links from '../../ui/links.module.css';
import styles from './dashboard.module.css';
import { useSummary } from './dashboard.api';
import { type Step, firstSteps } from './words';

const stepLinks: Readonly<Record<Step['id'], LinkProps>> = {
  server: { to: '/servers', search: { add: true } },
  sites: { to: '/servers' },
  backup: { to: '/sites' },
  'two-factor': { to: '/security/2fa' },
};

const Line = ({ step: { id, title, about, isDone } }: { step: Step }) => (
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
      {!isDone && <Text variant="note">{about}</Text>}
    </div>
  </li>
);

type Props = {
  /** The id of the user: another user of this browser still sees the steps that this one hid. */
  userId: string;
  /** Undefined until it is read. */
  hasTwoFactor: boolean | undefined;
};

function HideButton({ onClick }: { onClick: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('#summary a');
  return (
    <Button ref={button} variant="default" ml="auto" onClick={onClick}>
      Masquer les premiers pas
    </Button>
  );
}

/** The steps to set up a console, until all are done or the user hides them. */
export function FirstSteps({ userId, hasTwoFactor }: Props) {
  const key = `first_steps_${userId}`;
  const [isHidden, setHidden] = useState(() => readLocal(key) === 'away');
  const { data } = useSummary();
  if (isHidden || !data || hasTwoFactor === undefined) return null;
  const steps = firstSteps(data, hasTwoFactor);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const hide = () => {
    writeLocal(key, 'away');
    setHidden(true);
  };
  return (
    <Card component="section" aria-labelledby="first-steps" p="12px var(--gutter) 20px">
      <Group gap="4px 16px" mb={12}>
        <h2 id="first-steps">Premiers pas</h2>
        <Text variant="note">{`${done} sur ${steps.length}`}</Text>
        <HideButton onClick={hide} />
      </Group>
      <ol className={styles['steps']}>
        {steps.map((step) => (
          <Line key={step.id} step={step} />
        ))}
      </ol>
    </Card>
  );
}
