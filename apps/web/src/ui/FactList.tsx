import { Box, type BoxProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type ListProps = BoxProps & { children: ReactNode };

/** A list of names and values, in a grid whose columns the class sets. */
export const FactList = (props: ListProps) => <Box component="dl" display="grid" {...props} />;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text component="dt" variant="hint">
      {name}
    </Text>
    <dd>{children}</dd>
  </div>
);
