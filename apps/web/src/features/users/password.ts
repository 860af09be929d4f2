/** Leaves out characters that are easily misread: 0 O 1 l I. */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 20;
/** The largest multiple of the alphabet's length in a byte: bytes above it would favour the first letters. */
const maxByte = 256 - (256 % alphabet.length);

/** 20 letters and digits: about 116 bits. */
export function generatePassword(): string {
  let password = '';
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < maxByte && password.length < length) password += alphabet[byte % alphabet.length];
    }
  }
  return password;
}
