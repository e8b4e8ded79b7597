//! Invariants that tests enforce and users never see broken.

/// Whether something holds that never should. In tests it stops them, with the message; in a release the caller goes on with
/// whatever does the least harm, such as leaving a remark out:
///
/// ```
/// use modeshift_base::never;
/// fn middle(list: &[u32]) -> Option<u32> {
///     if never!(list.len() % 2 == 0, "lists have odd lengths here, not {}", list.len()) {
///         return None;
///     }
///     Some(list[list.len() / 2])
/// }
/// assert_eq!(middle(&[1, 2, 3]), Some(2));
/// ```
#[macro_export]
macro_rules! never {
    ($condition:expr, $($message:tt)+) => {{
        let holds: bool = $condition;
        debug_assert!(!holds, $($message)+);
        holds
    }};
}
