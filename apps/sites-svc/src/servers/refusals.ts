/** Offered again by itself, such a credential would get the address of this machine banned. */
const credentialRefusals = ['authentication', 'expired_password', 'banned', 'invalid_key'];

export const isCredentialRefusal = (code: string | undefined) =>
  code !== undefined && credentialRefusals.includes(code);
