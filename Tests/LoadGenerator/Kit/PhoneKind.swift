import ArgumentParser

/// Who plays the phones of a load.
enum PhoneKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The load generator itself, with a client of its own.
    case http
    /// A process each, which uses `CounterfoilClient`.
    case kit
}
