import Contracts

/// What a purchaser's transaction says of its seats.
///
/// Source: TransactionMultiSeatInfo and `priceTiers` (App Store Server API 1.22).
struct Seats: Equatable {
    /// The sum over the price tiers, in milliunits; nil without tiers that can be read.
    var price: Int64?
    /// How many were refunded.
    var revoked: Int?

    /// What was read before, as Apple would state it; nil if it is nothing.
    var stated: JSONValue? {
        var members: [String: JSONValue] = [:]
        if let price {
            members["priceTiers"] = .array([.object(["price": .integer(price), "quantity": .integer(1)])])
        }
        if let revoked { members["revokedSeatQuantity"] = .integer(Int64(revoked)) }
        return members.isEmpty ? nil : .object(members)
    }
}

extension Seats {
    /// Nil of what is no object.
    init?(_ info: JSONValue) {
        guard case .object(let members) = info else { return nil }
        if case .array(let tiers)? = members["priceTiers"], !tiers.isEmpty { price = Self.sum(tiers) }
        if case .integer(let count)? = members["revokedSeatQuantity"] {
            revoked = Int(Int32(clamping: count))
        }
    }

    private static func sum(_ tiers: [JSONValue]) -> Int64? {
        tiers.reduce(0) { sum, tier in
            guard let sum, case .object(let members) = tier, case .integer(let price)? = members["price"],
                case .integer(let quantity)? = members["quantity"]
            else { return nil }
            let (amount, isTooMuch) = price.multipliedReportingOverflow(by: quantity)
            let (total, isMore) = sum.addingReportingOverflow(amount)
            return isTooMuch || isMore ? nil : total
        }
    }
}
