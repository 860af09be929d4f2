import { Paper } from '@mantine/core';

/** A framed part of a screen. */
export const Card = Paper.withProps({ withBorder: true, radius: 'md' });
