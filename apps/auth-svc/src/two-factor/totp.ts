import { generateURI, verify } from 'otplib';

/** Accepts one time step before and one after, because the clocks of phones drift. */
const toleranceSeconds = 30;

/** Binds a sealed secret to its user’s row, pending or enrolled. */
export const secretSealContext = (userId: string) => `users|${userId}|totp_secret`;

export async function stepOf(secret: string, code: string): Promise<number | undefined> {
  const result = await verify({ secret, token: code, epochTolerance: toleranceSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

export const enrolmentUri = (secret: string, email: string, appName: string) =>
  generateURI({ issuer: appName, label: email, secret });
