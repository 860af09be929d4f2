import { Callout } from '../../ui/Callout';
import type { Failure } from './failure';
import { RetryCountdown } from './RetryCountdown';

/** Always renders the alert element: screen readers announce only what changes inside it. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  return (
    <>
      <div role="alert">{failure && <Callout tone="danger">{failure.sentence}</Callout>}</div>
      {failure?.retryAfter !== undefined && <RetryCountdown key={failure.retryAfter} seconds={failure.retryAfter} />}
    </>
  );
}
