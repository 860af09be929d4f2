/** Apart from the contracts: the first screen of the web app loads the addresses of all lists, and nothing else of the DNS. */
export const zoneSorts = ['name', '-name', 'status', '-status', 'created_at', '-created_at'] as const;
export const recordSorts = ['name', '-name', 'type', '-type', 'ttl', '-ttl', 'content', '-content'] as const;
