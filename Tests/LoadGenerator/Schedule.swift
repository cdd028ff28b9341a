import NIOConcurrencyHelpers

/// When customers come, and how long they are waited for afterwards.
struct Schedule: Sendable {
    private struct State {
        var issued = 0
        var end: ContinuousClock.Instant?
    }

    let start = ContinuousClock.now
    private let purchases: Int
    private let seconds: Double?
    private let rate: Double
    private let drain: Duration
    private let state = NIOLockedValueBox(State())

    /// Seconds of a run for which neither a number nor a time was given.
    private static let standardSeconds = 10.0

    init(purchases: Int?, seconds: Double?, rate: Double, drain: Double) {
        self.purchases = purchases ?? .max
        self.seconds = seconds ?? (purchases == nil ? Self.standardSeconds : nil)
        self.rate = rate
        self.drain = .seconds(drain)
    }

    /// Waits for the next customer's time and gives the customer's number; nil when no more come.
    func next() async throws -> Int? {
        guard let number = take() else { return nil }
        guard rate > 0 else { return number }
        let due = start + .seconds(Double(number) / rate)
        if due > .now { try await Task.sleep(until: due, tolerance: .zero, clock: .continuous) }
        return number
    }

    private func take() -> Int? {
        let now = ContinuousClock.now
        return state.withLockedValue { state in
            if state.end == nil, state.issued >= purchases || isTimeOver(state.issued, now) {
                state.end = now
            }
            guard state.end == nil else { return nil }
            state.issued += 1
            return state.issued - 1
        }
    }

    /// Whether a customer that comes now, or at its own time, would come too late.
    private func isTimeOver(_ number: Int, _ now: ContinuousClock.Instant) -> Bool {
        guard let seconds else { return false }
        return now - start >= .seconds(seconds) || (rate > 0 && Double(number) / rate >= seconds)
    }

    func close() { state.withLockedValue { $0.end = $0.end ?? .now } }

    /// Whether customers who are still busy must stop.
    var isOver: Bool {
        // Where all customers wait, nobody asks for the next one, and finds that the time is over.
        let planned = seconds.map { start + .seconds($0) }
        guard let end = state.withLockedValue({ $0.end }) ?? planned else { return false }
        return ContinuousClock.now - end > drain
    }

    /// By when, counted from now, everything must be in its ledger.
    var drainDeadline: ContinuousClock.Instant { .now + drain }
}
