import { Box, Button } from '@mantine/core';
import { type ErrorComponentProps, Link, useLocation, useRouter } from '@tanstack/react-router';
import { Bug, Compass } from 'lucide-react';
import { copyText } from '../../ui/copy';
import { Notice } from '../../ui/EmptyState';
import { toast } from '../../ui/toasts';
import { overlay } from './overlays';

/** The messages of browsers and of Vite for code or styles that could not be loaded. */
const isMissingChunk = (error: Error) =>
  /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);

/** Replaces a screen that crashed; the shell around it still works. */
export function ScreenError({ error: thrown, reset }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const router = useRouter();
  const isOutdated = isMissingChunk(error);
  const retry = () => {
    if (isOutdated) return window.location.reload();
    reset();
    void router.invalidate();
  };
  const copy = async () => {
    const details = [error.stack ?? error.message, window.location.pathname, new Date().toISOString()].join('\n');
    if (await copyText(details)) toast.success('Détails copiés.');
  };
  return (
    <Notice
      icon={Bug}
      role="alert"
      title={isOutdated ? 'Cet écran n’a pas pu être chargé' : 'Cet écran a rencontré une erreur'}
      actions={
        <>
          <Button onClick={retry}>{isOutdated ? 'Recharger la page' : 'Réessayer'}</Button>
          <Button variant="default" onClick={() => void copy()}>
            Copier les détails
          </Button>
        </>
      }
    >
      <p>
        {isOutdated
          ? 'La console a sans doute été mise à jour depuis l’ouverture de cette page, ou le réseau s’est interrompu.'
          : 'Le reste de la console fonctionne. Si l’erreur revient, transmettez les détails à l’administrateur de ce serveur.'}
      </p>
    </Notice>
  );
}

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
