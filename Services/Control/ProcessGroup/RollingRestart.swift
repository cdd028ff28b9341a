/// Restarts replicas one after the other: the next one's turn comes when the one before is well again.
///
/// Pure: the health of the replicas and the time, in milliseconds of a clock that only advances, are passed in.
struct RollingRestart: Equatable {
    /// How long one replica may take to end and to be well again, in milliseconds: its grace period and its first
    /// heartbeats, and some more.
    static let patience: Int64 = 45_000

    enum Health: Equatable {
        case well, refused, unwell
    }

    enum Directive: Equatable {
        case wait
        case restart(ReplicaName)
        /// This one did not become well; the restart ends, unless it goes on.
        case failed(ReplicaName)
        case done
    }

    private(set) var queue: [ReplicaName]
    private(set) var current: ReplicaName?
    /// Whether the others are restarted all the same when one does not become well.
    let goesOn: Bool
    private var deadline: Int64

    init(_ queue: [ReplicaName], goesOn: Bool = false, now: Int64) {
        self.queue = queue
        self.goesOn = goesOn
        deadline = now + Self.patience
    }

    mutating func add(_ names: [ReplicaName]) { queue += names.filter { !queue.contains($0) } }

    /// What is to be done now; replicas without health are gone.
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
        // With several replicas somebody always serves, unless none of them would.
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
