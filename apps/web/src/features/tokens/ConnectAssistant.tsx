import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyLine } from '../../ui/CopyLine';

/** How an assistant gets in: an address, and a token as its key. */
export const ConnectAssistant = () => (
  <Stack gap={4} w="100%">
    <CopyLine label="Adresse pour un assistant (MCP)" text={`${location.origin}/api/mcp`} />
    <Text variant="hint">
      Donnez-lui cette adresse et un jeton, en en-tête «&nbsp;Authorization: Bearer vgt_…&nbsp;». Il lit, puis
      propose&nbsp;: vous confirmez dans <Link to="/proposals">Propositions</Link>.
    </Text>
  </Stack>
);
