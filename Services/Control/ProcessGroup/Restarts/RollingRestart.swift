/// Restarts replicas one by one: the next one when the one before is well again.
///
/// Pure: health and time (monotonic milliseconds) are parameters.
struct RollingRestart: Equatable {
    /// Timeout for one replica, ms: its grace period, its first heartbeats and a margin.
    static let patience: Int64 = 45_000

    enum Health: Equatable { case well, refused, unwell }

    enum Directive: Equatable {
        case wait
        case restart(ReplicaName)
        /// This replica did not become well; the restart ends unless `goesOn`.
        case failed(ReplicaName)
        case done
    }

    private(set) var queue: [ReplicaName]
    private(set) var current: ReplicaName?
    let goesOn: Bool
    private var deadline: Int64

    init(_ queue: [ReplicaName], goesOn: Bool = false, now: Int64) {
        self.queue = queue
        self.goesOn = goesOn
        deadline = now + Self.patience
    }

    mutating func add(_ names: [ReplicaName]) { queue += names.filter { !queue.contains($0) } }

    /// Replicas missing from `health` have been removed.
    mutating func next(_ health: [ReplicaName: Health], now: Int64) -> Directive {
        if let name = current {
            switch health[name] {
            case .refused: return fail(name)
            case .unwell: return now < deadline ? .wait : fail(name)
            case .well, nil: current = nil
            }
        }
        queue.removeAll { health[$0] == nil }
        guard let name = queue.first else { return .done }
        // Waits for unwell replicas, so that one always serves; after the deadline it goes ahead.
        let others = health.filter { $0.key.program == name.program && $0.key != name }
        guard others.values.allSatisfy({ $0 != .unwell }) || now >= deadline else { return .wait }
        queue.removeFirst()
        current = name
        deadline = now + Self.patience
        return .restart(name)
    }

    private mutating func fail(_ name: ReplicaName) -> Directive {
        if goesOn { current = nil }
        return .failed(name)
    }
}
