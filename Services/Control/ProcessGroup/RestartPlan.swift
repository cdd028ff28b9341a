/// Restarts replicas one after the other: the next one's turn comes when the one before is well again.
///
/// Pure: told how the replicas are, and the time in milliseconds of a clock that only advances.
struct RestartPlan: Equatable {
    /// How long one replica may take to end and to be well again, in milliseconds: its polite time and its first
    /// heartbeats, and some more.
    static let patience: Int64 = 45_000

    /// How a replica is.
    enum Standing: Equatable {
        case well, refused, unwell
    }

    enum Step: Equatable {
        case wait
        case restart(ReplicaName)
        /// This one did not become well; nobody else is restarted, unless the plan goes on.
        case failed(ReplicaName)
        case done
    }

    private(set) var queue: [ReplicaName]
    private(set) var underWay: ReplicaName?
    /// Whether the others have their turn all the same when one does not become well.
    let goesOn: Bool
    private var deadline: Int64

    /// A plan for these replicas, in this order.
    init(_ queue: [ReplicaName], goesOn: Bool = false, now: Int64) {
        self.queue = queue
        self.goesOn = goesOn
        deadline = now + Self.patience
    }

    /// Restarts these, too.
    mutating func add(_ names: [ReplicaName]) { queue += names.filter { !queue.contains($0) } }

    /// What is to be done now; the replicas that are left are named with how they are.
    mutating func next(_ standings: [ReplicaName: Standing], now: Int64) -> Step {
        if let name = underWay {
            switch standings[name] {
            case .refused: return fail(name)
            case .unwell: return now < deadline ? .wait : fail(name)
            case .well, nil: underWay = nil
            }
        }
        queue.removeAll { standings[$0] == nil }
        guard let name = queue.first else { return .done }
        // With several replicas somebody always serves, unless none of them would.
        let others = standings.filter { $0.key.program == name.program && $0.key != name }
        guard others.values.allSatisfy({ $0 != .unwell }) || now >= deadline else { return .wait }
        queue.removeFirst()
        underWay = name
        deadline = now + Self.patience
        return .restart(name)
    }

    private mutating func fail(_ name: ReplicaName) -> Step {
        if goesOn { underWay = nil }
        return .failed(name)
    }
}
