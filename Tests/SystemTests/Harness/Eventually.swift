/// What a system test waited for in vain, or could not do.
struct HarnessFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How often a condition is looked at that another process brings about.
private let glance = Duration.milliseconds(20)

/// Waits until `condition` yields a value.
///
/// - Throws: `HarnessFault` when the time is over; whatever `condition` throws.
func eventually<Value>(
    _ what: String,
    within limit: Duration = .seconds(20),
    detail: () -> String = { "" },
    _ condition: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < end else {
            throw HarnessFault("not within \(limit): \(what)\n\(detail())")
        }
        try await Task.sleep(for: glance)
    }
}

/// Waits until `condition` holds.
///
/// - Throws: `HarnessFault` when the time is over; whatever `condition` throws.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(20),
    detail: () -> String = { "" },
    holds condition: () async throws -> Bool
) async throws {
    try await eventually(what, within: limit, detail: detail) { try await condition() ? () : nil }
}
