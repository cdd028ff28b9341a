/// What an event did to a state machine that took it.
package enum Transition: Hashable, Sendable {
    /// The state is new and must be stored.
    case applied
    /// It was applied before; nothing changes and nothing is stored.
    case repeated
}
