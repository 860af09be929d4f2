import {
  createRootRoute,
  createRoute,
  Outlet,
  redirect,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { text } from '../kit/list/search-params';
import { session } from '../kit/query/session';
import { Toasts } from '../ui/Toasts';
import { Shell } from './layout/Shell';
import { useBranding } from './layout/useBranding';
import { useDocumentTitle } from './layout/useDocumentTitle';

/**
 * Preloads the code of a lazy part with its route. Without a network it is not fetched: browsers remember a module that
 * failed to load.
 */
export const withPreload = (screen: () => ReactNode, lazyPart: Pick<RouteComponent, 'preload'>): RouteComponent =>
  Object.assign(screen, { preload: () => (navigator.onLine ? lazyPart.preload?.() : undefined) });

function Root() {
  useBranding();
  useDocumentTitle();
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}

export const root = createRootRoute({ component: Root });

/** All screens that need a session. An open panel and a job in the dock are part of the address of each. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  validateSearch: z.object({
    panel: z.enum(['profile']).optional().catch(undefined),
    tache: text,
  }),
  // The job in the dock stays open from screen to screen.
  search: { middlewares: [retainSearchParams(['tache'])] },
  beforeLoad: ({ location }) => {
    if (session.get().token !== null) return;
    throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href }, replace: true });
  },
  component: Shell,
});

export const underApp = { getParentRoute: () => app } as const;
