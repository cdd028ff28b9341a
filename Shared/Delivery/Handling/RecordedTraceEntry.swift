package import Contracts

/// A trace entry that no row of the service shows, with the id by which the service traces it.
package struct RecordedTraceEntry: Equatable, Sendable {
    package let subject: String
    package let entry: Trace.Entry
}
