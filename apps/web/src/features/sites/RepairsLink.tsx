import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';

export function RepairsLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Button
      variant="default"
      leftSection={<Stethoscope size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/sites/$siteId"
          params={{ siteId: id }}
          search={(shown) => ({ ...shown, repairs: true })}
          replace
          resetScroll={false}
          preload={false}
        />
      )}
    >
      {children}
    </Button>
  );
}
