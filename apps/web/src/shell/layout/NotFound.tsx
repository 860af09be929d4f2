import { Box, Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Notice } from '../../ui/EmptyState';
import { overlay } from './overlays';

export function NotFound() {
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <Notice
      icon={Compass}
      title="Page introuvable"
      actions={
        <>
          <Button component={Link} to="/">
            Aller au tableau de bord
          </Button>
          <Button variant="default" onClick={() => overlay.set('palette')}>
            Rechercher une page…
          </Button>
        </>
      }
    >
      <p>
        Aucun écran ne correspond à{' '}
        <Box component="code" p="1px 6px" bdrs={4} bg="var(--sunken)" c="var(--text)" ff="monospace" fz={13} lh="20px">
          {path}
        </Box>
      </p>
    </Notice>
  );
}
