/** The address where WordPress is administered, below the folder of the site. */
export function adminUrl(siteUrl: string): string {
  if (!URL.canParse(siteUrl)) return siteUrl;
  const { origin, pathname } = new URL(siteUrl);
  return `${origin}${pathname.replace(/\/*$/, '/')}wp-admin/`;
}
