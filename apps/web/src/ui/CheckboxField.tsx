import styles from './CheckboxField.module.css';

type Props = { label: string; isOn: boolean; disabled?: boolean; onChange: (isOn: boolean) => void };

export const CheckboxField = ({ label, isOn, disabled = false, onChange }: Props) => (
  <label className={styles['check']}>
    <input
      type="checkbox"
      checked={isOn}
      disabled={disabled}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
    {label}
  </label>
);
