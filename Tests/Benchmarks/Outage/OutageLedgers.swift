import TestKit

/// When each purchase was granted, as the ledgers of all buyers say.
struct OutageLedgers {
    /// Ledgers read at a time.
    private static let readers = 16
    /// Ledgers of one look; the next are looked at only if something new was in one of these.
    private static let batchSize = 64

    /// What a buyer's ledger was seen to hold: the grants of the one purchase, and anything else.
    private struct Found {
        /// Milliseconds since 1970.
        let grants: [Int64]
        let others: Int
    }

    private let gateway: OutageGateway
    private var found: [String: Found] = [:]

    init(_ gateway: OutageGateway) { self.gateway = gateway }

    /// When a purchase was granted for the first time, in milliseconds since 1970.
    func grant(of purchase: OutagePurchase) -> Int64? { found[purchase.transactionId]?.grants.min() }

    /// How many of these were granted more than once.
    func doubled(_ purchases: some Sequence<OutagePurchase>) -> Int {
        purchases.count { found[$0.transactionId]?.grants.count ?? 0 > 1 }
    }

    /// How many entries the buyers' ledgers hold that are not of their own purchase.
    var strangers: Int { found.values.map(\.others).reduce(0, +) }

    /// Those of which no grant has been seen.
    func missing(_ purchases: some Sequence<OutagePurchase>) -> [OutagePurchase] {
        purchases.filter { grant(of: $0) == nil }
    }

    /// Reads the ledgers of these purchases' buyers.
    mutating func read(_ purchases: some Collection<OutagePurchase>) async throws {
        let gateway = gateway
        try await withThrowingTaskGroup(of: (String, Found)?.self) { tasks in
            for (started, purchase) in purchases.enumerated() {
                if started >= Self.readers, let one = try await tasks.next() { take(one) }
                tasks.addTask {
                    guard let page = try await gateway.ledger(of: purchase) else { return nil }
                    let own = page.entries.filter {
                        $0.kind == "grant" && $0.transactionId == purchase.transactionId
                    }
                    let others = page.entries.count - own.count
                    return (purchase.transactionId, Found(grants: own.map(\.time), others: others))
                }
            }
            for try await one in tasks { take(one) }
        }
    }

    private mutating func take(_ one: (String, Found)?) {
        if let one { found[one.0] = one.1 }
    }

    /// Reads ledgers until all of these are granted; whether that came about in time.
    ///
    /// What was handed in first is granted first, more or less, so those are looked at first.
    mutating func wait(
        for purchases: some Sequence<OutagePurchase>,
        within limit: Duration,
        pollInterval: Duration
    ) async throws -> Bool {
        let end = ContinuousClock.now + limit
        var waiting = missing(purchases)
        while true {
            var rest = waiting[...]
            var hasChanged = true
            while hasChanged, !rest.isEmpty {
                let few = rest.prefix(Self.batchSize)
                try await read(few)
                hasChanged = missing(few).count < few.count
                rest = rest.dropFirst(few.count)
            }
            waiting = missing(waiting)
            if waiting.isEmpty { return true }
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: pollInterval)
        }
    }
}
