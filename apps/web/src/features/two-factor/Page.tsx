import { ShieldCheck } from 'lucide-react';
import { ComingScreen } from '../../ui/ComingScreen';

export const TwoFactorPage = () => (
  <ComingScreen
    title="Sécurité 2FA"
    icon={ShieldCheck}
    blueprint="form"
    purpose="La double authentification de votre compte et vos codes de récupération."
  />
);
