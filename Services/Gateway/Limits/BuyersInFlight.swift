import NIOConcurrencyHelpers

/// Limits the requests and waits in flight of each buyer's phones, so that a few buyers cannot fill a gateway.
struct BuyersInFlight: Sendable {
    /// Most requests of one buyer's phones in flight in one gateway.
    static let maximumRequests = 32

    /// Of those buyers of whom something is in flight.
    private let requests = NIOLockedValueBox<[AppBuyer: Int]>([:])

    /// How many buyers have something in flight.
    var count: Int { requests.withLockedValue { $0.count } }

    /// Counts a request of a buyer's phones until `leave`; false, and uncounted, when too many are in flight.
    func enter(_ buyer: AppBuyer) -> Bool {
        requests.withLockedValue { requests in
            let isAdmitted = requests[buyer, default: 0] < Self.maximumRequests
            if isAdmitted { requests[buyer, default: 0] += 1 }
            return isAdmitted
        }
    }

    /// Ends a request that was let in.
    func leave(_ buyer: AppBuyer) {
        requests.withLockedValue { requests in
            let left = (requests[buyer] ?? 0) - 1
            requests[buyer] = left > 0 ? left : nil
        }
    }
}
