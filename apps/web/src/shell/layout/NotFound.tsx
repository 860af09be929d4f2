import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Notice } from '../../ui/EmptyState';
import styles from './NotFound.module.css';
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
        Aucun écran ne correspond à <code className={styles['path']}>{path}</code>
      </p>
    </Notice>
  );
}
