-- Devices in the store hear of messages that were refused for good.
ALTER TABLE "instore_event"
    DROP CONSTRAINT "instore_event_kind_check",
    ADD CONSTRAINT "instore_event_kind_check" CHECK ("kind" IN ('receipt', 'delivered', 'refused'));
