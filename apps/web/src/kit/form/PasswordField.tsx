import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, type Ref, useState } from 'react';

type Props = {
  name: string;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  error: string | undefined;
  'data-path'?: string;
  hint?: string | undefined;
  placeholder?: string | undefined;
  onChange: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
};

function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const watch = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return { isOn, onKeyDown: watch, onKeyUp: watch, onBlur: () => setOn(false) };
}

const VisibilityIcon = ({ reveal }: { reveal: boolean }) =>
  reveal ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />;

/** A password that can be shown, with a hint when Caps Lock is on. */
export function PasswordField({ hint, onChange, onBlur: onLeave, ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  const { isOn, onBlur, ...capsLock } = useCapsLock();
  return (
    <PasswordInput
      description={isOn ? 'La touche Verr. Maj est active.' : hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleIcon={VisibilityIcon}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? 'Masquer le mot de passe' : 'Afficher le mot de passe',
        'aria-hidden': false,
        tabIndex: 0,
      }}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        onBlur();
        onLeave?.();
      }}
      {...capsLock}
      {...rest}
    />
  );
}
