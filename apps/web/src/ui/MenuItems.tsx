import { Button, Stack } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

export type MenuItem = {
  label: string;
  /** Its name for a screen reader, where the label says too little. */
  name?: string;
  icon: LucideIcon;
  isDisabled?: boolean;
  isDanger?: boolean;
  run: () => void;
};

/** The choices of a menu. Each closes it before it acts, so that a dialog finds the focus where it was. */
export const MenuItems = ({ items, close }: { items: readonly MenuItem[]; close: () => void }) => (
  <Stack gap={4}>
    {items.map(({ label, name = label, icon: Icon, isDisabled = false, isDanger = false, run }) => (
      <Button
        key={label}
        variant="subtle"
        justify="flex-start"
        c={isDanger ? 'danger' : 'var(--text)'}
        aria-label={name}
        disabled={isDisabled}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => {
          close();
          run();
        }}
      >
        {label}
      </Button>
    ))}
  </Stack>
);
