/// What a test waited for in vain, or could not do.
package struct HarnessFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The pause between two checks of a condition that another process brings about.
private let pollInterval = Duration.milliseconds(20)

/// Waits until `condition` yields a value.
///
/// - Throws: `HarnessFault` when the time is over; whatever `condition` throws.
package func eventually<Value>(
    _ what: String,
    within limit: Duration = .seconds(60),
    detail: () -> String = { "" },
    _ condition: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < end else {
            throw HarnessFault("not within \(limit): \(what)\n\(detail())")
        }
        try await Task.sleep(for: pollInterval)
    }
}

/// Waits until `condition` holds.
///
/// - Throws: `HarnessFault` when the time is over; whatever `condition` throws.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(60),
    detail: () -> String = { "" },
    holds condition: () async throws -> Bool
) async throws {
    try await eventually(what, within: limit, detail: detail) { try await condition() ? () : nil }
}
