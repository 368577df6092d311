CREATE INDEX kb_items_of_base_by_change ON kb_items (base, updated, number);
