/// How a purchase came to a holder by restores under other logins.
package struct Transferred: Codable, Hashable, Sendable {
    /// How often the purchase has moved, at least once: of two holders the one of the later transfer holds it.
    package var count: Int
    /// The buyer who paid, and keeps the amounts.
    package var payerId: BuyerID

    package init(count: Int, payerId: BuyerID) {
        self.count = count
        self.payerId = payerId
    }
}

extension Transferred: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        count = try json.member("count", value?.count)
        payerId = try json.member("payerId", value?.payerId)
        try json.close()
    }
}
