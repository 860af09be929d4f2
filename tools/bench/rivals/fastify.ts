import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { Sessions } from './sessions';

/** The smallest program with the same answers: no framework on top of Fastify, no ORM, no schema, no log, no limit. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c search_path=auth' });

const sessions = new Sessions(async (tokenHash) => {
  const { rows } = await pool.query(
    `select s.user_id as "userId", s.expires_at as "expiresAt" from sessions s join users u on u.id = s.user_id
     where s.token_hash = $1 and s.expires_at > now()`,
    [tokenHash],
  );
  return rows[0] ?? null;
});

const http = fastify();

http.get('/api/auth/me', async (request, reply) => {
  const session = await sessions.find(request.headers.authorization);
  if (!session) return reply.code(401).send({ detail: 'Veuillez vous connecter.' });
  const { rows } = await pool.query('select id, email, first_name, last_name, role from users where id = $1', [
    session.userId,
  ]);
  return toView(rows[0]);
});

/** A naive login: no hash without an account, and no limit of simultaneous hashes. */
http.post<{ Body: { email: string; password: string } }>('/api/auth/login', async (request, reply) => {
  const { email, password } = request.body;
  const { rows } = await pool.query(
    'select id, email, first_name, last_name, role, password_hash from users where email = $1',
    [email.trim().toLowerCase()],
  );
  const [user] = rows;
  if (!user || !(await verify(user.password_hash, password))) {
    return reply.code(401).send({ detail: 'Email ou mot de passe incorrect.' });
  }
  const token = randomBytes(32).toString('base64url');
  await pool.query(
    `insert into sessions (id, user_id, token_hash, seen_at, expires_at)
     values ($1, $2, $3, now(), now() + interval '12 hours')`,
    [randomUUID(), user.id, createHash('sha256').update(token).digest('hex')],
  );
  return { access_token: token, user: toView(user) };
});

type Row = { id: string; email: string; first_name: string | null; last_name: string | null; role: string };

function toView({ id, email, first_name, last_name, role }: Row) {
  const name = [first_name, last_name].filter(Boolean).join(' ') || email;
  return { id, email, name, first_name, last_name, role, is_admin: role === 'admin' };
}

process.send?.(await http.listen({ host: '127.0.0.1', port: 0 }));
