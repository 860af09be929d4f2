import { Stack, Text } from '@mantine/core';
import { CopyLine } from '../../ui/CopyLine';

const file = '~/.local/bin/vigie';

/** How a shell gets in: the gateway serves the program of its own release. */
export const InstallCommandLine = () => (
  <Stack gap={4} w="100%">
    <CopyLine
      label="Installer la ligne de commande"
      text={`curl -fsSL ${location.origin}/downloads/vigie -o ${file} && chmod +x ${file}`}
    />
    <Text variant="hint">
      Il lui faut Node&nbsp;20 ou plus récent. Ensuite, «&nbsp;vigie login {location.origin}&nbsp;» crée son jeton, et
      «&nbsp;vigie help&nbsp;» dit ce qu’elle sait faire.
    </Text>
  </Stack>
);
