import { AppError } from '@vigie/contracts/errors';
import { Authenticator } from '@vigie/testing/authenticator';
import { expect, it } from 'vitest';
import { readAttestation } from './attestations';

const party = { id: 'vigie.example', origin: 'https://vigie.example' };
const challenge = 'A'.repeat(43);
const options = { challenge, rp: { id: party.id }, user: { id: 'AAAA' } };
const creationOf = ({ response, ...answer }: ReturnType<Authenticator['create']>) =>
  ({ ...answer, type: 'public-key', response }) as const;

it('reads a passkey that says nothing of its maker', async () => {
  const authenticator = new Authenticator(party.origin, { isSynced: true });
  const passkey = await readAttestation(creationOf(authenticator.create(options)), challenge, party);
  expect(passkey).toEqual({
    rpId: 'vigie.example',
    credentialId: authenticator.credentialId,
    publicKey: expect.any(Buffer),
    counter: '0',
    transports: ['internal'],
    isBackupEligible: true,
    isSynced: true,
  });
});

it('refuses certificates, even where their key signed the passkey', async () => {
  // Recorded for the challenge above: a U2F token with a certificate of its own, which the library accepts.
  const clientDataJSON = [
    'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB',
    'QUFBQUFBQSIsIm9yaWdpbiI6Imh0dHBzOi8vdmlnaWUuZXhhbXBsZSIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
  ].join('');
  const attestationObject = [
    'o2NmbXRoZmlkby11MmZnYXR0U3RtdKJjeDVjgVkBejCCAXYwggEdoAMCAQICFGlPUJ_Eb_PI70GbMmrA0DL6rc1LMAoGCCqGSM49',
    'BAMCMBAxDjAMBgNVBAMMBVRva2VuMCAXDTI2MTEyOTAxNDM1M1oYDzIxMjYxMTA1MDE0MzUzWjAQMQ4wDAYDVQQDDAVUb2tlbjBZ',
    'MBMGByqGSM49AgEGCCqGSM49AwEHA0IABMRNPyTW45etHaESukN3FY7dRNab04UnwLmQvuXgKxAtn48bMVW0MT7jDW4kHw7cwT4H',
    'Pa8HGX5bSEutmZxq8iajUzBRMB0GA1UdDgQWBBQ6P1mWhw9R2C1otlESx2uT3j2gujAfBgNVHSMEGDAWgBQ6P1mWhw9R2C1otlES',
    'x2uT3j2gujAPBgNVHRMBAf8EBTADAQH_MAoGCCqGSM49BAMCA0cAMEQCIHmKK7zvWzNc0vPqiOIKbN8V7hKKhjst2Ma9y-_DnHOb',
    'AiB-GcdYXBI25sWBtnRKkqwyUoC2Qh7BbvNjFvKBK9pn9GNzaWdYRzBFAiBe_s_O3WBK-j0ak6pd0T4mgUkUjPkqxZWUk18O2Jbi',
    'zQIhAPSgRifZTL79PJ1_v_Hjqtu_rVJs2q9UgD3XABI_V40vaGF1dGhEYXRhWKTgok0At7cLrdwdnHaOZUXy_GDDS5XPCDcRvdp-',
    'qfpR9EUAAAAAAAAAAAAAAAAAAAAAAAAAAAAgUJYjYKsARPKa6iXAPE7XsfON0G_O8YsVbxqDQIBocfmlAQIDJiABIVggRy7SKAke',
    '9K7J1rFqP3CesDCIZUFEPeqYE3vHvoQhtCQiWCCd2_x_h3c_H9mIvAm1Nrf51CVBcSgKnhnvPP2A5NWeuw',
  ].join('');
  const id = 'UJYjYKsARPKa6iXAPE7XsfON0G_O8YsVbxqDQIBocfk';
  const creation = { id, rawId: id, type: 'public-key', response: { clientDataJSON, attestationObject } } as const;
  await expect(readAttestation(creation, challenge, party)).rejects.toThrow(AppError);
});
