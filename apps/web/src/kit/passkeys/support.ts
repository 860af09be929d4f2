type Browser = { origin: string; hasWebAuthn: boolean };

const current = (): Browser => ({
  origin: window.location.origin,
  hasWebAuthn: typeof window.PublicKeyCredential === 'function',
});

/**
 * Why this browser takes no passkey here, as a sentence; undefined where it does. `passkeyOrigin` is the only address at which
 * the server takes them, as far as it has said so.
 */
export function unsupportedReason(
  passkeyOrigin: string | null | undefined,
  { origin, hasWebAuthn } = current(),
): string | undefined {
  if (typeof passkeyOrigin === 'string' && passkeyOrigin !== origin) {
    return `Les clés d’accès ne marchent qu’à l’adresse ${passkeyOrigin}\u00a0: ouvrez Vigie à cette adresse.`;
  }
  return hasWebAuthn ? undefined : 'Ce navigateur ne connaît pas les clés d’accès.';
}
