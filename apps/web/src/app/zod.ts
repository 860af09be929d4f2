import { z } from 'zod';

// First import of main.tsx: zod looks for `new Function`, which the CSP forbids and reports, when a schema is made.
z.config({ jitless: true });
