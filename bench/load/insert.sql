\set q :first + :client_id * :step + random(0, :stride - 1)
with h as (
  update queue set version = version + 1, start_moment = start_moment, stop_moment = stop_moment,
    current_row = current_row + 1, queued_row = queued_row + 1,
    receipt_numerator = receipt_numerator + 1,
    receipt_totalizer = receipt_totalizer + :total::numeric, receipt_hash = :receipt_hash::bytea,
    state = :state::text, last_moment = now(), time_stamp = time_stamp + 3,
    secrets_sealed = secrets_sealed
  where account_id = :account::uuid and id = lpad(:q::text, 32, '0')::uuid
  returning account_id, id, current_row, receipt_numerator, time_stamp, gen_random_uuid() as item),
i as (
  insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms, work_moment,
    done_moment, receipt_moment, terminal_id, receipt_reference, country, version, request,
    request_hash, response, response_hash, processing_version, time_stamp)
  select account_id, id, current_row, item, now(), 15000, now(), now(), :moment::timestamptz, 'T1',
    'sale-' || lpad(current_row::text, 10, '0'), 'AT', 'v1', :request::text,
    :request_hash::bytea, :response::text, :response_hash::bytea, :version::text, time_stamp - 2
  from h),
r as (
  insert into receipt_journal (account_id, queue_id, time_stamp, id, receipt_moment,
    receipt_number, receipt_total, queue_item_id, receipt_hash)
  select account_id, id, time_stamp - 1, :row_id::uuid, now(), receipt_numerator, :total::numeric,
    item, :receipt_hash::bytea
  from h),
m as (
  insert into market_journal (account_id, queue_id, time_stamp, id, kind, number, scu_id,
    queue_item_id, certificate_fingerprint, content)
  select account_id, id, time_stamp, :row_id::uuid, 'RKSV', receipt_numerator, :scu_id::uuid, item,
    :fingerprint::bytea, :content::text
  from h)
select id from h;
