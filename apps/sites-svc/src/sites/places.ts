/**
 * SQL for what a grant does not show of site `s` with server `v`: its host, its folder, its account and who owns its files. A
 * host that is in the site's own address is no secret.
 */
export const placesSql = `array_remove(array[
  case when strpos(s.url, coalesce(s.host, v.host)) = 0 then coalesce(s.host, v.host) end,
  s.wp_path, coalesce(s.login, v.login), s.facts ->> 'owner'], null)`;
