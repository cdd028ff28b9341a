import Contracts
import Domain

/// What a phone did for an order: bounded, shown to support, and deciding nothing.
///
/// Tested by: `StepLogTests`.
///
/// | the entry                       | what is done |
/// |---------------------------------|--------------|
/// | is there already                | nothing      |
/// | has room in entries and bytes   | kept         |
/// | has no room                     | left out     |
///
/// So the same entries once more change nothing.
struct StepLog: Equatable, Sendable {
    /// In the order in which they came.
    private(set) var entries: [StepLogEntry] = []

    private var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

    init(_ entries: [StepLogEntry] = []) { self.entries = entries }

    /// Keeps what is new and has room; returns it.
    mutating func add(_ incoming: [StepLogEntry]) -> [StepLogEntry] {
        let before = entries.count
        for entry in incoming where !entries.contains(entry) {
            guard entries.count < Limits.stepLogEntries, bytes + entry.bytes <= Limits.stepLogBytes
            else { continue }
            entries.append(entry)
        }
        return Array(entries[before...])
    }

    /// Checks what a phone hands in against the limits.
    static func check(_ entries: [StepLogEntry]) throws(RequestRefusal) {
        guard entries.count <= Limits.stepLogEntries else { throw .logEntries }
        for entry in entries {
            guard Limits.phoneMilliseconds.contains(entry.at.milliseconds) else { throw .logTime }
            for (name, text) in [("code", entry.code), ("domain", entry.domain)] {
                guard text?.unicodeScalars.count ?? 0 <= Limits.stepTextCharacters else {
                    throw .logText(name)
                }
            }
        }
    }
}

extension StepLogEntry {
    /// What the time and the step count for, in bytes.
    private static let fixedBytes = 32

    /// What it takes of its order's log.
    fileprivate var bytes: Int { Self.fixedBytes + (code?.utf8.count ?? 0) + (domain?.utf8.count ?? 0) }
}
