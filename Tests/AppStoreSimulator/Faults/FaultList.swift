import Contracts

/// The faults that were asked for, and which of them strikes next.
actor FaultList {
    /// Faults at the same time, at most.
    static let maximumFaults = 100

    struct Entry: Encodable, Sendable {
        let faultId: Int
        let fault: Fault
        let until: Timestamp?
        var struck = 0
        /// The second in which requests are counted against a rate, and how many it has seen.
        var second: Int64 = 0
        var seen = 0

        private enum Keys: String, CodingKey { case faultId, until, struck }

        func encode(to encoder: any Encoder) throws {
            try fault.encode(to: encoder)
            var members = encoder.container(keyedBy: Keys.self)
            try members.encode(faultId, forKey: .faultId)
            try members.encodeIfPresent(until, forKey: .until)
            try members.encode(struck, forKey: .struck)
        }
    }

    private(set) var entries: [Entry] = []
    private var lastId = 0
    private let chance: Chance

    init(chance: Chance) { self.chance = chance }

    /// Adds a fault; of several that fit, the one that was added first strikes.
    func add(_ fault: Fault, at now: Timestamp) throws(Refusal) -> Entry {
        guard entries.count < Self.maximumFaults else { throw Refusal("there are too many faults already") }
        lastId += 1
        let until = fault.seconds.map { now.advanced(by: Int64($0 * 1_000)) }
        let entry = Entry(faultId: lastId, fault: fault, until: until)
        entries.append(entry)
        return entry
    }

    /// Ends a fault; false when there is none of this name.
    func remove(_ faultId: Int) -> Bool {
        let count = entries.count
        entries.removeAll { $0.faultId == faultId }
        return entries.count < count
    }

    func removeAll() { entries = [] }

    /// The fault that strikes a request, and counts it as struck.
    func strike(method: String, path: String, at now: Timestamp) -> Fault? {
        entries.removeAll { entry in entry.until.map { $0 <= now } ?? false }
        for index in entries.indices where fits(entries[index].fault, method: method, path: path) {
            guard strikes(&entries[index], at: now) else { continue }
            entries[index].struck += 1
            let entry = entries[index]
            if entry.struck == entry.fault.count { entries.remove(at: index) }
            return entry.fault
        }
        return nil
    }

    private func fits(_ fault: Fault, method: String, path: String) -> Bool {
        path.hasPrefix(fault.path) && (fault.method ?? method) == method
    }

    private func strikes(_ entry: inout Entry, at now: Timestamp) -> Bool {
        guard chance.strikes(entry.fault.probability ?? 1) else { return false }
        guard entry.fault.kind == .rateLimit else { return true }
        let second = now.milliseconds / 1_000
        if entry.second != second { (entry.second, entry.seen) = (second, 0) }
        entry.seen += 1
        return entry.seen > (entry.fault.perSecond ?? 0)
    }
}
