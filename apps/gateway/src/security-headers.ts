const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The component library sets styles at run time; scripts stay strict.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages at a secret address, which they must tell neither to search engines nor to the sites that they lead to. */
const secretAddress = /^\/(?:api\/)?etat(?:[/?]|$)/;
const secretHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' };

type Headers = Record<string, string>;

/** Headers of every answer, of the API and of the web app, by the address of the request. */
export function securityHeaders(publicUrl: string | undefined): (url: string) => Headers {
  const plain = plainHeaders(publicUrl);
  const secret = { ...plain, ...secretHeaders };
  return (url) => (secretAddress.test(url) ? secret : plain);
}

function plainHeaders(publicUrl: string | undefined): Headers {
  return {
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
