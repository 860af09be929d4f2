import { Passkeys } from '../../features/passkeys/Passkeys';
import { TwoFactorPage } from '../../features/two-factor/Page';
import { userQueries } from '../../kit/fleet/users';

/** The second factors of the user: the app beside the passkeys. */
export function TwoFactorScreen() {
  const { data: me, refetch } = userQueries.useMeQuery();
  return (
    <TwoFactorPage
      email={me?.email ?? ''}
      isRestricted={me?.requires_2fa_setup === true}
      onEnabled={() => void refetch()}
      Passkeys={Passkeys}
    />
  );
}
