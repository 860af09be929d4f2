import { Callout } from '../../ui/Callout';
import type { Failure } from './failure';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatWait } from '../../ui/dates';

/** Stays outside the alert and silent: a screen reader must not count the seconds. */
function RetryCountdown({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [secondsLeft, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <Text c="muted" mt={-8} role="timer" aria-live="off">
      {secondsLeft > 0 ? `Nouvel essai possible dans ${formatWait(secondsLeft)}.` : 'Vous pouvez réessayer.'}
    </Text>
  );
}

/** Always renders the alert element: screen readers announce only what changes inside it. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  return (
    <>
      <div role="alert">{failure && <Callout tone="danger">{failure.sentence}</Callout>}</div>
      {failure?.retryAfter !== undefined && <RetryCountdown key={failure.retryAfter} seconds={failure.retryAfter} />}
    </>
  );
}
