import { Text } from '@mantine/core';

export const Path = ({ children }: { children: string }) => (
  <Text component="code" ff="monospace" fz={12} lh="18px">
    {children}
  </Text>
);

/** Some of the files that a backup or a restore left out. */
export const Paths = ({ paths }: { paths: readonly string[] }) => (
  <ul>
    {paths.map((path) => (
      <li key={path}>
        <Path>{path}</Path>
      </li>
    ))}
  </ul>
);
