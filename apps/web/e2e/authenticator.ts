import type { Page } from '@playwright/test';
import { env } from './env';

/** The address of the product by its name: a passkey belongs to a name, which an IP address is not. */
export const namedUrl = env.url.replace('127.0.0.1', 'localhost');

export type Authenticator = {
  /** Runs while the owner of the device refuses what the browser asks. */
  whileCancelling: (run: () => Promise<void>) => Promise<void>;
  /** Runs while the owner of the device does not answer, who then agrees. */
  whileHesitating: (run: () => Promise<void>) => Promise<void>;
  remove: () => Promise<void>;
};

/** A device that keeps passkeys, and whose owner agrees at once. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const agree = (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  const answer = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  return {
    whileHesitating: async (run) => {
      await answer(false);
      await run();
      await answer(true);
    },
    whileCancelling: async (run) => {
      await agree(false);
      await run();
      await agree(true);
    },
    remove: async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      await cdp.detach();
    },
  };
}
