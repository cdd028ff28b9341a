/// What an accepted event did to a state machine.
enum Transition: Hashable, Sendable {
    /// The state is new and must be stored.
    case applied
    /// The event was applied before; nothing is stored.
    case repeated
}
