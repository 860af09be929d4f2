import { consoleProtocol } from '@vigie/contracts/console-frames';
import { isApiError, serverMessage } from '../../kit/query/api-error';
import { store } from '../../kit/store';
import type { TicketResult, ConsoleGateway, ConnectQuery } from './ConsoleLink';
import { consoleCalls } from './console-calls.api';
import { consolesApi } from './consoles.api';
import type { Trouble } from './link-state';
import type { Target } from './targets';

const unopened = "Impossible d'ouvrir la console.";
const unreachable = 'Vigie ne répond pas. Vérifiez votre connexion.';

function ticketError(error: unknown): TicketResult {
  if (!isApiError(error)) return { trouble: { code: 'unreachable', message: unopened }, isFinal: false };
  const { kind, status } = error;
  if (kind === 'network') return { trouble: { code: 'unreachable', message: unreachable }, isFinal: false };
  const message = serverMessage(error) ?? unopened;
  const detail = typeof error.detail === 'object' ? error.detail.code : undefined;
  const code =
    detail ?? { 401: 'session_ended', 403: 'site_gone', 404: 'server_gone', 429: 'too_many' }[status] ?? 'unreachable';
  return { trouble: { code, message }, isFinal: status >= 400 && status < 500 };
}

const maxConsoles = 10;

/** Browsers hide why a WebSocket was refused. */
async function findRefusalReason(): Promise<Trouble | undefined> {
  const query = consolesApi.endpoints.consoles.initiate(undefined, { forceRefetch: true, subscribe: false });
  const { data = [] } = await store.dispatch(query);
  if (data.length < maxConsoles) return undefined;
  return { code: 'too_many', message: `Vous avez déjà ${maxConsoles} consoles ouvertes.` };
}

export const gatewayFor = ({ id, isSite, siteId }: Pick<Target, 'id' | 'isSite' | 'siteId'>): ConsoleGateway => ({
  requestTicket: async () => {
    const { data, error } = await store.dispatch(
      consoleCalls.endpoints.consoleTicket.initiate({ id, isSite }, { track: false }),
    );
    return data ?? ticketError(error);
  },
  connect: (query: ConnectQuery) => {
    const url = new URL(`/api/${isSite ? 'sites' : 'servers'}/${encodeURIComponent(id)}/ws`, window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    if (siteId !== undefined && query.console === undefined) url.searchParams.set('site', siteId);
    return new WebSocket(url, consoleProtocol);
  },
  findRefusalReason,
});
