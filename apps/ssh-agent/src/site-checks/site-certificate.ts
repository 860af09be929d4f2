import type { ClientRequest } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Certificate } from '@vigie/contracts/site-checks';
import { cleanLine, timestamp } from '@vigie/contracts/text';

const maxIssuerLength = 300;

/**
 * Reports the certificate that the server presents, valid or not. Node closes a connection whose certificate it refuses
 * in its own listener of `secure`, so this listener must come before it. The verification itself does not change.
 */
export function onCertificate(request: ClientRequest, report: (certificate: Certificate) => void): void {
  request.once('socket', (socket) => {
    if (!(socket instanceof TLSSocket)) return;
    socket.prependOnceListener('secure', () => {
      const certificate = readCertificate(socket);
      if (certificate) report(certificate);
    });
  });
}

type PresentedCertificate = { valid_from?: unknown; valid_to?: unknown; issuer?: { O?: unknown; CN?: unknown } };

/** Anybody can present any certificate, so Node may fail to read it. */
export function readCertificate(socket: { getPeerCertificate: () => PresentedCertificate }): Certificate | null {
  try {
    return toCertificate(socket.getPeerCertificate());
  } catch {
    return null;
  }
}

/** The fields may be missing, repeated, endless or no dates at all. */
function toCertificate({ valid_from: start, valid_to: end, issuer }: PresentedCertificate): Certificate | null {
  const endsAt = toTimestamp(end);
  if (endsAt === null) return null;
  const names = [issuer?.O, issuer?.CN].flat().map((name) => (typeof name === 'string' ? lineOf(name) : ''));
  return { starts_at: toTimestamp(start), ends_at: endsAt, issuer: names.find((name) => name !== '') ?? '' };
}

function toTimestamp(text: unknown): string | null {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : (timestamp.safeParse(new Date(ms).toISOString()).data ?? null);
}

/** Shortens before it cleans, because a cut may leave half a character. */
const lineOf = (text: string) => cleanLine(text.slice(0, maxIssuerLength));
