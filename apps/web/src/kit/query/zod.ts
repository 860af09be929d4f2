import { z } from 'zod';

// First import of main.tsx: when a schema is made, zod tries `new Function`, which the CSP forbids and reports.
z.config({ jitless: true });
