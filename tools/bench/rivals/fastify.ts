import { fastify } from 'fastify';
import { Pool } from 'pg';
import { Sessions } from './sessions';

/** The least that answers the same: no framework above Fastify, no ORM, no schema, no log, no limit. */
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
  const session = await sessions.of(request.headers.authorization);
  if (!session) return reply.code(401).send({ detail: 'Veuillez vous connecter.' });
  const { rows } = await pool.query('select id, email, first_name, last_name, role from users where id = $1', [
    session.userId,
  ]);
  const [{ id, email, first_name, last_name, role }] = rows;
  const name = [first_name, last_name].filter(Boolean).join(' ') || email;
  return { id, email, name, first_name, last_name, role, is_admin: role === 'admin' };
});

process.send?.(await http.listen({ host: '127.0.0.1', port: 0 }));
