//! The conformance suite of the ports of bases, items and changes, for their implementations.

mod bases;
mod contents;
mod deletion;
mod expiry;
mod feed;
mod isolation;
mod items;
mod lists;
mod model;
mod nearest;
mod searches;
mod serving;
mod stock;
mod stores;
mod upserts;
mod work;

pub use bases::*;
pub use contents::*;
pub use deletion::*;
pub use expiry::*;
pub use feed::*;
pub use isolation::*;
pub use items::*;
pub use lists::*;
pub use model::*;
pub use nearest::*;
pub use searches::*;
pub use serving::*;
pub use stock::*;
pub use stores::{Stores, base};
pub use upserts::*;
pub use work::*;

/// Expands to the tests of the ports. `$run` takes a name and a closure from `(stores, own scope, other
/// scope)` to a future and runs it on new stores.
#[macro_export]
macro_rules! knowledge_contract {
    ($run:ident) => {
        $crate::knowledge_contract!($run: a_base_reads_back_as_it_was_stored bases_are_listed_newest_first a_base_changes_by_revision items_read_back_as_they_were_added ready_made_chunks_are_findable_at_once the_same_content_is_one_item what_failed_and_is_given_again_is_queued_again many_who_add_the_same_content_get_one_item a_base_takes_no_more_items_than_it_may contents_are_shared_with_files a_missing_file_leaves_nothing_of_the_unit what_is_elsewhere_gets_its_original_once items_are_listed_by_base_and_status items_are_listed_by_cursor items_are_told_by_their_last_change work_on_an_item_shows_and_ends a_late_worker_is_refused_everything what_failed_is_tried_again the_tokens_of_a_job_never_come_again chunks_are_found_before_they_have_vectors what_names_a_content_changes_with_it replaced_content_is_found_until_the_new_is_ready new_content_that_is_taken_is_refused titles_and_metas_are_told serving_follows_the_last_item serving_follows_when_the_last_item_fails_or_goes another_model_during_the_work_is_a_job_again what_gets_no_vectors_is_found_by_words what_failed_is_queued_again_for_another_model a_failure_of_a_model_that_is_no_longer_wanted_is_none only_what_is_live_is_shown attributes_come_by_number vectors_are_kept_by_workspace_and_model vectors_of_a_base_come_in_order all_vectors_are_listed what_chunks_need_is_listed what_nothing_needs_is_noted_and_goes_later who_is_told_of_a_vector_has_it items_are_deleted_with_all_they_have a_base_is_emptied a_base_goes_with_all_it_has contents_of_a_deleted_base_go_when_nobody_refers_to_them changes_are_told_in_order changes_are_forgotten_from_the_first_on who_follows_the_changes_misses_none another_workspace_sees_nothing another_workspace_changes_nothing counts_are_those_of_the_items_whatever_happens an_external_id_is_of_one_item_of_a_base many_entries_with_one_external_id_are_one_item an_entry_replaces_the_content_of_its_item other_labels_are_no_new_content ready_made_chunks_and_pages_replace_other_content what_has_expired_goes_with_all_it_has an_addition_decides_how_long_an_item_lives);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
