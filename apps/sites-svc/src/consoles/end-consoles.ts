import type { ConsoleEnd } from '@vigie/contracts/shells';
import { writeAudit } from '@vigie/service-kit/audit';
import type { EntityManager } from 'typeorm';

type EndedConsole = {
  id: string;
  user_id: string;
  user_email: string | null;
  server_id: string | null;
  site_id: string | null;
  server_name: string;
  host: string;
  port: number;
  login: string;
  seconds: number;
  bytes_in: string;
  bytes_out: string;
  end_reason: ConsoleEnd;
};

/** Ends the open consoles that match `where`, whose parameters begin with $2, and audits each. */
export async function endConsoles(
  manager: EntityManager,
  where: string,
  reason: ConsoleEnd,
  values: readonly unknown[],
): Promise<EndedConsole[]> {
  const [ended]: [EndedConsole[], number] = await manager.query(
    `update consoles set ended_at = now(), end_reason = $1, is_attached = false where ended_at is null and ${where}
     returning id, user_id, user_email, server_id, site_id, server_name, host, port, login, bytes_in, bytes_out, end_reason,
       extract(epoch from now() - opened_at)::int as seconds`,
    [reason, ...values],
  );
  for (const console of ended) {
    const { id, host, port, login: user, seconds, bytes_in: bytesIn, bytes_out: bytesOut } = console;
    await writeAudit(manager, {
      actorId: console.user_id,
      actorName: console.user_email,
      action: 'console_end',
      target: console.server_name,
      targetId: console.server_id ?? console.site_id,
      result: 'done',
      details: {
        console: id,
        host,
        port,
        user,
        reason,
        seconds,
        bytes_in: Number(bytesIn),
        bytes_out: Number(bytesOut),
      },
    });
  }
  return ended;
}
