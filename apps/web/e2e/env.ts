function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: the end-to-end tests need a running product and its administrator`);
  return value;
}

export const env = {
  url: required('VIGIE_E2E_URL').replace(/\/$/, ''),
  email: required('VIGIE_E2E_EMAIL'),
  password: required('VIGIE_E2E_PASSWORD'),
  chromium: process.env['VIGIE_E2E_CHROMIUM'] ?? '/usr/bin/chromium',
};
