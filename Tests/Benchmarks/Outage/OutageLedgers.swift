import TestKit

/// When each purchase was granted, as the ledgers of all buyers say.
struct OutageLedgers {
    /// Ledgers read at a time.
    private static let readers = 16
    /// Ledgers of one look; the next are looked at only if something new was in one of these.
    private static let batchSize = 64

    private let gateway: OutageGateway
    /// What the ledger of a purchase's buyer was seen to hold, by the transaction id of that one purchase.
    private var entries: [String: [LedgerAnswer.Entry]] = [:]

    init(_ gateway: OutageGateway) { self.gateway = gateway }

    private static func isGrant(_ entry: LedgerAnswer.Entry, of transactionID: String) -> Bool {
        entry.kind == "grant" && entry.transactionId == transactionID
    }

    private func grants(of purchase: OutagePurchase) -> [Int64] {
        let id = purchase.transactionId
        return entries[id, default: []].filter { Self.isGrant($0, of: id) }.map(\.time)
    }

    /// When a purchase was granted for the first time, in milliseconds since 1970.
    func grant(of purchase: OutagePurchase) -> Int64? { grants(of: purchase).min() }

    /// How many of these were granted more than once.
    func doubled(_ purchases: some Sequence<OutagePurchase>) -> Int {
        purchases.count { grants(of: $0).count > 1 }
    }

    /// How many entries the buyers' ledgers hold that are not of their own purchase.
    var strangers: Int {
        entries.map { id, entries in entries.count { !Self.isGrant($0, of: id) } }.reduce(0, +)
    }

    /// Those of which no grant has been seen.
    func missing(_ purchases: some Sequence<OutagePurchase>) -> [OutagePurchase] {
        purchases.filter { grant(of: $0) == nil }
    }

    /// Reads the ledgers of these purchases' buyers.
    mutating func read(_ purchases: some Collection<OutagePurchase>) async throws {
        let gateway = gateway
        try await withThrowingTaskGroup(of: (String, LedgerAnswer?).self) { tasks in
            for (started, purchase) in purchases.enumerated() {
                if started >= Self.readers, let one = try await tasks.next() { take(one) }
                tasks.addTask { (purchase.transactionId, try await gateway.ledger(of: purchase)) }
            }
            for try await one in tasks { take(one) }
        }
    }

    private mutating func take(_ one: (id: String, page: LedgerAnswer?)) {
        if let page = one.page { entries[one.id] = page.entries }
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
