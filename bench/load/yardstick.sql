-- The tables that insert.sql writes, as they were on 2026-11-25, in a schema of their own. They stay
-- so for ever: what fiskalwerk stores less, or finds another way for, counts as gained.
create schema yardstick;
set search_path = yardstick;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: its rows stay as they were written', tg_op, tg_table_name;
end $$;
create function note_change() returns trigger language plpgsql as $$ begin return null; end $$;

create table queue (
  account_id uuid not null,
  id uuid not null,
  cash_box_id uuid,
  market text not null,
  description text not null,
  identification text not null,
  configuration text not null,
  secrets_sealed bytea,
  timeout_ms integer not null default 0,
  start_moment timestamptz(6),
  stop_moment timestamptz(6),
  current_row bigint not null default 0,
  queued_row bigint not null default 0,
  receipt_numerator bigint not null default 0,
  receipt_totalizer numeric(65, 30) not null default 0,
  receipt_hash bytea,
  state text not null,
  last_moment timestamptz(6),
  time_stamp bigint not null,
  version bigint not null default 0,
  created_at timestamptz(6) not null,
  commissioning_date timestamptz(6),
  package text not null default 'fiskalwerk.Queue',
  package_version text not null default '',
  purchase_date timestamptz(6),
  repeated integer not null default 0,
  url text not null default '[]',
  primary key (account_id, id),
  constraint queue_receipt_hash_check check (octet_length(receipt_hash) = 32),
  constraint queue_receipt_numerator_check check (receipt_numerator >= 0),
  constraint queue_rows_check check (current_row >= 0 and queued_row >= current_row),
  constraint queue_version_check check (version >= 0)
);
create index on queue (account_id, cash_box_id);
create index on queue (account_id, created_at, id);
create unique index on queue (account_id, identification, repeated);
create trigger queue_membership_noted after insert or update of cash_box_id on queue
  for each row execute function note_change();
create trigger queue_names after insert or delete or update of identification, description on queue
  for each row execute function note_change();

create table queue_item (
  account_id uuid not null,
  queue_id uuid not null,
  row bigint not null,
  id uuid not null,
  queue_moment timestamptz(6) not null,
  timeout_ms integer not null,
  work_moment timestamptz(6),
  done_moment timestamptz(6),
  receipt_moment timestamptz(6) not null,
  terminal_id text,
  receipt_reference text,
  country text not null,
  version text not null,
  request text not null,
  request_hash bytea not null,
  response text,
  response_hash bytea,
  processing_version text not null,
  time_stamp bigint not null,
  operation_id uuid,
  pos_system_id text,
  primary key (account_id, queue_id, row),
  constraint queue_item_request_hash_check check (octet_length(request_hash) = 32),
  constraint queue_item_response_check check ((response is null) = (response_hash is null)),
  constraint queue_item_response_hash_check check (octet_length(response_hash) = 32),
  constraint queue_item_row_check check (row > 0),
  constraint queue_item_time_stamp_check check (time_stamp > 0)
);
create index on queue_item (account_id, id);
create index on queue_item (account_id, queue_id, receipt_reference, time_stamp);
create unique index on queue_item (account_id, queue_id, time_stamp);
create index on queue_item (account_id, queue_id, row) where done_moment is null;
create trigger append_only before delete or truncate on queue_item
  for each statement execute function refuse_change();
create trigger done_stays before update on queue_item
  for each row when (old.done_moment is not null) execute function refuse_change();
create trigger request_stays before update of account_id, queue_id, row, id, request, request_hash
  on queue_item for each statement execute function refuse_change();

create table receipt_journal (
  account_id uuid not null,
  queue_id uuid not null,
  time_stamp bigint not null,
  id uuid not null,
  receipt_moment timestamptz(6) not null,
  receipt_number bigint not null,
  receipt_total numeric(65, 30) not null,
  queue_item_id uuid not null,
  receipt_hash bytea not null,
  primary key (account_id, queue_id, time_stamp),
  constraint receipt_journal_receipt_hash_check check (octet_length(receipt_hash) = 32),
  constraint receipt_journal_receipt_number_check check (receipt_number > 0),
  constraint receipt_journal_time_stamp_check check (time_stamp > 0)
);
create trigger append_only before delete or update or truncate on receipt_journal
  for each statement execute function refuse_change();

create table market_journal (
  account_id uuid not null,
  queue_id uuid not null,
  time_stamp bigint not null,
  id uuid not null,
  kind text not null,
  number bigint not null,
  scu_id uuid,
  queue_item_id uuid not null,
  certificate_fingerprint bytea,
  content text not null,
  primary key (account_id, queue_id, time_stamp),
  constraint market_journal_certificate_fingerprint_check
    check (octet_length(certificate_fingerprint) = 32),
  constraint market_journal_number_check check (number >= 0),
  constraint market_journal_time_stamp_check check (time_stamp > 0)
);
create index on market_journal (account_id, queue_id, kind, time_stamp) where length(kind) = 1;
create index on market_journal (account_id, queue_id, number) where kind = 'counted';
create index on market_journal (account_id, scu_id, number) where kind = 'device-log';
create index on market_journal (account_id, queue_id, number) where kind = 'late';
create index on market_journal (account_id, scu_id, kind, time_stamp, id)
  where kind in ('archive', 'ended');
create trigger append_only before delete or update or truncate on market_journal
  for each statement execute function refuse_change();
