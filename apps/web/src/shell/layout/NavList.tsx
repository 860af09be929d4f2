import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sidebar } from './navigation';
import styles from './menus.module.css';

export function NavList({ onChoose }: { onChoose?: () => void }) {
  return (
    <Box c="muted">
      {sidebar.map((items) => (
        <Stack component="ul" gap={2} key={items[0]?.to} className={styles['group']}>
          {items.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles['item']}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                onClick={onChoose}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden />
                <span className={styles['label']}>{label}</span>
              </Link>
            </li>
          ))}
        </Stack>
      ))}
    </Box>
  );
}
