import AppStoreSigning
import Contracts

/// Seats that are bought at once, which make Apple's `TransactionMultiSeatInfo`.
struct SeatOrder: Decodable, Sendable {
    static let maximumTiers = 100
    /// Of one tier.
    static let maximumQuantity = 1_000
    /// Of one seat, milliunits of any currency.
    static let maximumPrice: Int64 = 1_000_000_000_000

    struct PriceTier: Decodable, Sendable {
        let price: Int64
        let quantity: Int
    }

    /// `APPLE` or `DEVELOPER`; absent for `APPLE`.
    let invitationManagement: String?
    let priceTiers: [PriceTier]

    var quantity: Int { priceTiers.reduce(0) { $0 + $1.quantity } }

    /// The average of one seat, as Apple states it as the transaction's price.
    var averagePrice: Int64 {
        let total = priceTiers.reduce(Int64(0)) { $0 + $1.price * Int64($1.quantity) }
        return total / Int64(max(quantity, 1))
    }

    var multiSeatInfo: JSONValue {
        .object([
            "invitationManagement": .string(invitationManagement ?? "APPLE"),
            "priceTiers": .array(
                priceTiers.map {
                    .object(["price": .integer($0.price), "quantity": .integer(Int64($0.quantity))])
                }
            ),
        ])
    }

    /// What Apple could not have sold; nil if it could.
    var flaw: String? {
        guard (1...Self.maximumTiers).contains(priceTiers.count) else {
            return "priceTiers has not between 1 and \(Self.maximumTiers) elements"
        }
        let isRight = priceTiers.allSatisfy {
            (0...Self.maximumPrice).contains($0.price) && (1...Self.maximumQuantity).contains($0.quantity)
        }
        guard isRight else { return "priceTiers has a price or a quantity that is too small or too large" }
        return [nil, "APPLE", "DEVELOPER"].contains(invitationManagement)
            ? nil : "invitationManagement is neither APPLE nor DEVELOPER"
    }
}

extension SignedTransaction {
    /// Seats that are bought for the running period: another transaction, which replaces nothing.
    ///
    /// Whether Apple gives it a `webOrderLineItemId` of its own is not known; here it has one.
    func addition(of order: SeatOrder, number: String, at now: Timestamp) -> SignedTransaction {
        var addition = notRevoked
        addition.transactionId = number
        addition.webOrderLineItemId = number
        addition.purchaseDate = now.milliseconds
        addition.signedDate = now.milliseconds
        addition.quantity = order.quantity
        addition.price = order.averagePrice
        addition.multiSeatInfo = order.multiSeatInfo
        addition.transactionReason = "PURCHASE"
        addition.additionalTransactionReason = "SEAT_ADDITION"
        return addition
    }

    /// How many of its seats were refunded.
    var revokedSeats: Int {
        guard case .object(let members)? = multiSeatInfo,
            case .integer(let count)? = members["revokedSeatQuantity"]
        else { return 0 }
        return Int(count)
    }

    /// The same transaction with so many seats refunded.
    func revoking(seats count: Int) -> SignedTransaction {
        guard case .object(var members)? = multiSeatInfo else { return self }
        members["revokedSeatQuantity"] = count == 0 ? nil : .integer(Int64(count))
        var transaction = self
        transaction.multiSeatInfo = .object(members)
        return transaction
    }
}
