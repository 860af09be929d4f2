import { createRootRoute, createRoute, Outlet, redirect, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { toJob } from '../kit/job/JobLink';
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

/** All screens that need a session. An open panel is part of the address of each. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  validateSearch: z.object({
    panel: z.enum(['profile']).optional().catch(undefined),
    /** The job that earlier releases showed in the dock. */
    tache: text,
  }),
  beforeLoad: ({ location, search }) => {
    if (session.get().token === null)
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href }, replace: true });
    if (search.tache !== undefined) throw redirect({ ...toJob(search.tache), replace: true });
  },
  component: Shell,
});

export const underApp = { getParentRoute: () => app } as const;
