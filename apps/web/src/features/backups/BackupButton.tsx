import { Box, Button, type ButtonProps } from '@mantine/core';
import { ArchiveRestore } from 'lucide-react';
import { Failure } from '../../ui/Failure';
import { useBackups } from './useBackups';

/** Backs a site up from any of its tabs. The tab of its backups shows the progress, and why it failed. */
export function BackupButton({ siteId, variant = 'filled' }: Pick<ButtonProps, 'variant'> & { siteId: string }) {
  const { start, isCreating, refusal } = useBackups(siteId);
  return (
    <>
      <Button
        variant={variant}
        w={variant === 'filled' ? { base: '100%', sm: 'auto' } : undefined}
        loading={isCreating}
        leftSection={<ArchiveRestore size={16} aria-hidden />}
        onClick={() => void start({ kind: 'backups.create' })}
      >
        Sauvegarder
      </Button>
      {refusal !== undefined && (
        <Box flex="1 1 100%" style={{ order: 1 }}>
          <Failure sentence={refusal} />
        </Box>
      )}
    </>
  );
}
