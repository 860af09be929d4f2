/** Tables in and beside a site's database with content that is hard to back up and to read. */
export const awkwardTables = (prefix: string) => `
create table \`${prefix}étrange d'été "1"\` (id int primary key, \`select\` text) default charset utf8mb4;
insert into \`${prefix}étrange d'été "1"\` values (1, 'a''b"c\\\\d\\n\\r\\t%_; -- pas un commentaire /* ni un autre'), (2, null), (3, '');
create table ${prefix}blobs (id int auto_increment primary key, small varbinary(255), big longblob, bits bit(12), at datetime default '0000-00-00 00:00:00');
insert into ${prefix}blobs (small, big, bits) values
  (x'00', x'', b'0'), (x'00ff0a0d1a5c27220000c328', repeat(x'00ff27225c0a0d1a', 131072), b'101010101010'), (null, null, null);
insert into ${prefix}blobs (id, small) values (4000000, x'80');
create table ${prefix}latin (word varchar(40) not null) default charset latin1;
insert into ${prefix}latin values ('déjà vu'), ('déjà vu'), ('œuf');
create table ${prefix}figures (
  id bigint unsigned not null, price decimal(65,30), share double, doubled bigint generated always as (id * 2) virtual,
  kind enum('é','b') default 'é', day date default '0000-00-00', primary key (id), key by_kind (kind, day));
insert into ${prefix}figures (id, price, share) values (18446744073709551, 0.000000000000000000000000000001, 1e-300), (2, -1.5, 0.1);
create table ${prefix}ports (id int primary key, name varchar(190) collate utf8mb4_bin unique);
create table ${prefix}ships (id int primary key, port int, foreign key (port) references ${prefix}ports (id));
insert into ${prefix}ports values (1, 'Brest'), (2, 'brest');
insert into ${prefix}ships values (1, 2);
create table ${prefix}empty (id int primary key) engine=MyISAM;
create view ${prefix}seen as select id, name from ${prefix}ports;
create table other_program (id int primary key, note text);
insert into other_program values (1, 'wp_options n''est pas à lui');
delimiter //
create trigger ${prefix}named before insert on ${prefix}ports for each row begin set new.name = trim(new.name); end//
create procedure ${prefix}count(out n int) begin select count(*) into n from ${prefix}ports; end//
delimiter ;
insert into ${prefix}options (option_name, option_value, autoload) values
  ('étrange', 'a:2:{s:5:"été";s:4:"🎉";s:3:"tab";s:3:"a\\tb";}', 'no'),
  ('casse_x', 'a:1:{s:99:"trop court";}', 'yes'),
  ('grand', repeat('abcdefgh', 65536), 'no'),
  ('vide', '', 'yes');
update ${prefix}options set option_value = 'L’été <b>à</b> "quai" & l''hiver 🎉' where option_name = 'blogname';
`;
