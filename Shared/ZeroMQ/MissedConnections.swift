/// Dealers on `tcp://` that have no connection, and when each gets a new socket.
struct MissedConnections {
    /// Without connection for so long, a dealer gets a new socket.
    static let renewalMilliseconds: Int64 = 5_000
    /// The same of a dealer whose host has two keys, one of which cannot be the right one; longer than connecting and
    /// shaking hands.
    static let severalKeysMilliseconds: Int64 = 3_000

    private var dueTimes: [UInt64: Int64] = [:]

    var isEmpty: Bool { dueTimes.isEmpty }

    /// When the first dealer is due; nil without one.
    var nextDue: Int64? { dueTimes.values.min() }

    /// The dealers that are due.
    func due(at uptime: Int64) -> [UInt64] { dueTimes.filter { $0.value <= uptime }.keys.sorted() }

    /// A dealer is to be connected, or its attempt is a new one: its time begins.
    mutating func begin(_ number: UInt64, hasSeveralKeys: Bool, at uptime: Int64) {
        dueTimes[number] = uptime + (hasSeveralKeys ? Self.severalKeysMilliseconds : Self.renewalMilliseconds)
    }

    /// Takes note of whether a dealer has its connection; while it has none, its time runs on.
    mutating func note(_ number: UInt64, isConnected: Bool, hasSeveralKeys: Bool, at uptime: Int64) {
        if isConnected {
            forget(number)
        } else if dueTimes[number] == nil {
            begin(number, hasSeveralKeys: hasSeveralKeys, at: uptime)
        }
    }

    /// A dealer is connected, or closed.
    mutating func forget(_ number: UInt64) { dueTimes[number] = nil }
}
