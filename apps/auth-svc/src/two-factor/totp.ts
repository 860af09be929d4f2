import { generateURI, verify } from 'otplib';

/** One step before and one after: phones are not on time. */
const toleranceSeconds = 30;

/** Where a secret may be opened: this user's row, pending or enrolled. */
export const placeOfSecret = (userId: string) => `users|${userId}|totp_secret`;

/** The time step that the code belongs to, or undefined when it is wrong. */
export async function stepOf(secret: string, code: string): Promise<number | undefined> {
  const result = await verify({ secret, token: code, epochTolerance: toleranceSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

export const enrolmentUri = (secret: string, email: string, appName: string) =>
  generateURI({ issuer: appName, label: email, secret });
