package import Contracts

/// Something for an operator to look at; never a receipt, a token or a key.
package struct Alarm: Equatable, Sendable {
    package let kind: AlarmKind
    package let text: String
    /// The trace of the request that led to it.
    package let traceparent: String?

    init(_ kind: AlarmKind, _ text: String, traceparent: String? = nil) {
        (self.kind, self.text) = (kind, text)
        self.traceparent = traceparent
    }
}
