/** Tells a password manager to which account the password or code of a form belongs. */
export const AccountHint = ({ email }: { email: string }) => (
  <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
);
