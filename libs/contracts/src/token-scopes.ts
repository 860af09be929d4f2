/** What a token may do: each contract names the scope that it needs. */
export const tokenScopes = ['read', 'backup', 'restore', 'update', 'run', 'console', 'dns', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];
