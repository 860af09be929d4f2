/** Data that the official importer loses or changes in a careless archive. MariaDB has uuid since 10.7. */
export const fragileTables = (prefix: string) => String.raw`
create table ${prefix}torn (
  id int primary key comment 'un /* commentaire */ ; et
une ligne', words varchar(200), latin varchar(200) character set latin1, said json, part float, piece float(9,4),
  born year, at timestamp(6) null, during time(3), kind enum('a','','b'), kinds set('a','b'), padded int(8) unsigned zerofill,
  place geometry, tripled int generated always as (id * 3) stored, hidden int invisible default 7, raw binary(4),
  address inet6, /*M!100700 mark uuid, */ bits bit(64), big bigint unsigned, sure boolean, constraint positive check (id > 0)
) engine=Aria transactional=1 row_format=page default charset utf8mb4;
insert into ${prefix}torn (id, words, latin, said, part, piece, born, at, during, kind, kinds, padded, place, hidden, raw, address, bits, big, sure) values
  (1, 'finit par \\', 'é finit par \\', '{"a": [1, "é\\\\n"]}', 16777217, 12345.6789, 1999, '2026-03-29 02:30:00.123456', '-838:59:59', 'b', 'a,b', 42,
    point(1, 2), 8, x'00ff', '::1', 18446744073709551615, 18446744073709551615, true),
  (2, 'é\\\\\\', '\\', null, 0.1, 0.1, 0, null, null, '', '', 0, null, null, x'', null, 0, 0, false),
  (3, '''_transient_ est un mot', '_site_transient_', '"_transient_"', 1e-20, -1, null, null, '00:00:00.001', 'a', null, null, null, 1, null, null, null, null, null),
  (4, '_transient_x', 'servmask_prefix_options', '"SERVMASK_PREFIX_"', -3.4e38, null, null, null, null, null, null, null, null, 1, null, null, null, null, null),
  (5, 'SERVMASK_PREFIX_posts; ', '"_wc_session_', null, null, null, null, null, null, null, null, null, null, 1, null, null, null, null, null),
  (6, ' ;
', '', null, null, null, null, null, null, null, null, null, null, 1, null, null, null, null, null),
  (7, '${prefix}options', '%s _', null, null, null, null, null, null, null, null, null, null, 1, null, null, null, null, null);
update ${prefix}torn set sure = true /*M!100700 , mark = '00000000-0000-7000-8000-000000000001' */ where id = 1;
insert into ${prefix}options (option_name, option_value, autoload) values
  ('_transient_passing', 'x', 'no'), ('ai1wm_secret_key', 'x', 'no'), ('${prefix}own', '${prefix}own', 'no'),
  ('profond', 'a:1:{s:1:"a";s:34:"a:1:{s:4:"été";s:5:"fin\";";}";}', 'no');
create table ${prefix}many (id int primary key auto_increment, name varchar(40), key by_name (name));
insert into ${prefix}many (name) select concat('été ', seq) from seq_1_to_20000;
create view ${prefix}afar as select id from ${prefix}seen;
delimiter //
create trigger ${prefix}counted after insert on ${prefix}ports for each row begin
  insert into ${prefix}ships values (new.id + 1000, new.id); end//
delimiter ;
`;
