-- KEDA counts runnable jobs with this role, which may read only the columns that the count needs.
-- psql "$OWNER_URL" --set=password=… --file=k8s/components/autoscaling/ledger-reader.sql
create role vigie_ledger_reader login connection limit 4 password :'password';
grant usage on schema sites to vigie_ledger_reader;
grant select (id, created_at, state, is_batch, lane, dispatched_at, not_before, is_resting, lead_id) on sites.jobs to vigie_ledger_reader;
