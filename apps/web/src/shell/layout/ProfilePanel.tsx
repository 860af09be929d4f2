import type { Me } from '@vigie/contracts/users';
import { ChangePasswordForm } from '../../features/passwords/ChangePasswordForm';
import { ProfileDrawer } from '../../features/profile/ProfileDrawer';
import { OpenSessions } from '../../features/sessions/OpenSessions';
import { Tokens } from '../../features/tokens/Tokens';
import { TwoFactorSummary } from '../../features/two-factor/TwoFactorSummary';

type Props = { user: Me; onClose: () => void; onLogOut: () => void };

export function ProfilePanel({ user, onClose, onLogOut }: Props) {
  const security = (
    <>
      <TwoFactorSummary email={user.email} />
      {/* Until two-factor authentication is set up, the session may do nothing else. */}
      {!user.requires_2fa_setup && (
        <>
          <ChangePasswordForm email={user.email} />
          <OpenSessions />
          <Tokens />
        </>
      )}
    </>
  );
  return <ProfileDrawer user={user} security={security} onClose={onClose} onLogOut={onLogOut} />;
}
