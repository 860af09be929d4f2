-- The role that KEDA counts runnable jobs with: it sees of each job what the count asks for, and nothing else.
-- psql "$OWNER_URL" --set=password=… --file=k8s/components/autoscaling/ledger-reader.sql
create role vigie_ledger_reader login connection limit 4 password :'password';
grant usage on schema sites to vigie_ledger_reader;
grant select (id, created_at, state, is_batch, lane, dispatched_at, not_before, is_resting) on sites.jobs to vigie_ledger_reader;
