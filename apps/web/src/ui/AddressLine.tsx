import { Box } from '@mantine/core';
import { type Address, addressOf } from './serverAddress';

/** An address in one line: where it does not fit, the end of the host is cut, never the port. */
export function AddressLine({ server }: { server: Address }) {
  const text = addressOf(server);
  const end = server.port === 22 ? text.length : text.lastIndexOf(':');
  return (
    <Box component="code" display="inline-flex" maw="100%" title={text} style={{ whiteSpace: 'nowrap' }}>
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{text.slice(0, end)}</span>
      {text.slice(end)}
    </Box>
  );
}
