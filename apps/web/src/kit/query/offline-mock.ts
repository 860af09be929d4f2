import type { LoginResult } from '@vigie/contracts/sessions';

// Development only (VITE_MOCK=1): the interface without a server. A test looks for this marker in the production bundle.
const marker = 'vigie-offline-mock';
const defaultUser = 'dev-user';

const user: LoginResult['user'] = {
  id: '01890000-0000-7000-8000-000000000001',
  email: `${defaultUser}@localhost`,
  name: 'Camille Martin',
  first_name: 'Camille',
  last_name: 'Martin',
  role: 'admin',
  is_admin: true,
};

const answers: Record<string, unknown> = {
  'POST /auth/login': { access_token: marker, user },
  'POST /auth/logout': {},
  'GET /auth/me': user,
  'GET /health/ready': {
    ready: true,
    services: { 'auth-svc': true, 'sites-svc': true, 'ssh-agent': true, 'dns-svc': true },
  },
};

export async function answerOffline(path: string, init: RequestInit): Promise<Response> {
  const answer = answers[`${init.method} ${path}`];
  return answer === undefined
    ? Response.json({ detail: 'Cette adresse n’existe pas dans la maquette.' }, { status: 404 })
    : Response.json(answer);
}
