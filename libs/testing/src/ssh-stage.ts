import { expect, onTestFinished } from 'vitest';
import { connect, type Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';
import { FakeSsh } from './hostile-ssh';
import { targetOf } from './ssh-targets';
import { SshHost } from './sshd';

type Closable = { close?(): Promise<unknown>; stop?(): Promise<unknown> };

/** Closes a resource after the test, in reverse order of opening. */
export function closeAfterTest<T extends Closable>(resource: T): T {
  onTestFinished(async () => {
    await (resource.close?.() ?? resource.stop?.());
  });
  return resource;
}

export const aHost = async (options?: Parameters<typeof SshHost.start>[0]): Promise<SshHost> =>
  closeAfterTest(await SshHost.start(options));

export const aFakeHost = async (behaviour?: Parameters<typeof FakeSsh.start>[0]): Promise<FakeSsh> =>
  closeAfterTest(await FakeSsh.start(behaviour));

export const logInTo = async (host: SshHost | FakeSsh, rest?: Partial<SshTarget>): Promise<Connection> =>
  closeAfterTest(await connect(targetOf(host, rest)));

/** Returns the SshFailure of an attempt; any other outcome fails the test. */
export async function failureOf(attempt: Promise<unknown>): Promise<SshFailure> {
  const outcome = await attempt.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(SshFailure);
  return outcome as SshFailure;
}
