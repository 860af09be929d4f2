import type { ActivityType } from '@vigie/contracts/activity';
import {
  ArrowUpCircle,
  CircleDot,
  KeyRound,
  LogIn,
  type LucideIcon,
  PackagePlus,
  Pencil,
  Plus,
  Power,
  PowerOff,
  Settings,
  Trash2,
} from 'lucide-react';
import { Status } from '../../ui/Status';
import { type BadgeWord, activityBadge } from './words';

// Not the icons of states: those would mean that the action is running or has failed.
const icons: Readonly<Record<BadgeWord, LucideIcon>> = {
  'Mise à jour': ArrowUpCircle,
  Suppression: Trash2,
  Installation: PackagePlus,
  Activation: Power,
  Désactivation: PowerOff,
  Connexion: LogIn,
  Sécurité: KeyRound,
  Paramètres: Settings,
  Ajout: Plus,
  Modification: Pencil,
  Action: CircleDot,
};

export function ActivityBadge({ type }: { type: ActivityType }) {
  const { tone, word } = activityBadge(type);
  return (
    <Status tone={tone} icon={icons[word]}>
      {word}
    </Status>
  );
}
