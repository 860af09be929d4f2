import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Lines } from './Lines';
import { formatNumber } from './plural';

const perStep = 100;

type Props<Item> = {
  label: string;
  items: readonly Item[];
  children: (shown: readonly Item[]) => ReactNode;
};

/** A framed list that may have thousands of lines, and shows more of them on demand. */
export function SteppedLines<Item>({ label, items, children }: Props<Item>) {
  const [max, setMax] = useState(perStep);
  return (
    <>
      <Lines aria-label={label} isFramed>
        {children(items.slice(0, max))}
      </Lines>
      {max < items.length && (
        <div>
          <Button variant="default" onClick={() => setMax(max + perStep)}>
            {`Afficher plus (${formatNumber(items.length - max)})`}
          </Button>
        </div>
      )}
    </>
  );
}
