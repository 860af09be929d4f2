import { AppError } from '@vigie/contracts/errors';
import type { PasskeyCreation } from '@vigie/contracts/passkeys';
import type { Passkey } from './passkey.entity';
import type { RelyingParty } from './relying-party';

/** EdDSA, ES256 and RS256, which every authenticator has one of. */
export const algorithms = [-8, -7, -257];

type MadePasskey = Pick<
  Passkey,
  'rpId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackupEligible' | 'isSynced'
>;

/** Reads a new passkey out of the browser's answer, whose challenge is used up already. */
export async function readAttestation(
  { response, ...answer }: PasskeyCreation,
  challenge: string,
  party: RelyingParty,
): Promise<MadePasskey> {
  const { transports = [], ...proof } = response;
  await refuseCertificates(proof.attestationObject);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...answer, response: proof, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw unreadable(cause);
  });
  if (!registrationInfo) throw unreadable();
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  // The library compares neither the two ids nor the length of the inner one, by which a login finds the passkey.
  if (credential.id !== answer.id) throw unreadable();
  return {
    rpId: party.id,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: `${credential.counter}`,
    transports,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isSynced: credentialBackedUp,
  };
}

/**
 * Vigie asks for no attestation, and browsers then send none or one without certificates. Others would be verified against
 * addresses that their certificates name, which nobody else may choose for this process.
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = attestation.get('fmt');
    if (format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)) return;
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable();
}

export const unreadable = (cause?: unknown) =>
  new AppError('invalid', 'Cette clé d’accès n’a pas pu être vérifiée. Recommencez.', { cause });
