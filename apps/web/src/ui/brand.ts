import { version as release } from '../../package.json';

export const appName = 'Vigie';
export const copyright = `© ${new Date().getFullYear()} ${appName}`;
export const version = `v${release}`;
