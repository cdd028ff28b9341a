/// A possible owner of a transaction; candidates are proposed one at a time, in case order.
///
/// Only for a renewal the holder of the chain comes first.
package enum ClaimCandidate: Codable, Hashable, Sendable {
    /// The order, or the buyer registered for the app's own token, that the signed `appAccountToken` names.
    case token(String)
    /// The buyer found registered for the token.
    case registered(BuyerID)
    /// The order named by the submission, if its product matches and it was there when the purchase was made.
    case order(OrderID)
    /// Who holds the other periods of the subscription; gets an order of its own for this one.
    case holder(BuyerID)
    /// The submitter: their oldest open order for the product, or a new one.
    case caller(BuyerID)

    private enum CodingKeys: String, CodingKey { case token, registeredBuyerId, orderId, holderId, callerId }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let token = try container.decodeIfPresent(String.self, forKey: .token) {
            self = .token(token)
        } else if let buyer = try container.decodeIfPresent(BuyerID.self, forKey: .registeredBuyerId) {
            self = .registered(buyer)
        } else if let order = try container.decodeIfPresent(OrderID.self, forKey: .orderId) {
            self = .order(order)
        } else if let buyer = try container.decodeIfPresent(BuyerID.self, forKey: .holderId) {
            self = .holder(buyer)
        } else {
            self = .caller(try container.decode(BuyerID.self, forKey: .callerId))
        }
    }

    /// Encodes an object with one key that names the kind.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .token(let token): try container.encode(token, forKey: .token)
        case .registered(let buyer): try container.encode(buyer, forKey: .registeredBuyerId)
        case .order(let order): try container.encode(order, forKey: .orderId)
        case .holder(let buyer): try container.encode(buyer, forKey: .holderId)
        case .caller(let buyer): try container.encode(buyer, forKey: .callerId)
        }
    }
}

extension ClaimCandidate: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        switch value {
        case .token(let token)?: self = .token(try json.member("token", token))
        case .registered(let buyer)?: self = .registered(try json.member("registeredBuyerId", buyer))
        case .order(let order)?: self = .order(try json.member("orderId", order))
        case .holder(let buyer)?: self = .holder(try json.member("holderId", buyer))
        case .caller(let buyer)?: self = .caller(try json.member("callerId", buyer))
        case nil:
            if let token: String = try json.optional("token", nil) {
                self = .token(token)
            } else if let buyer: BuyerID = try json.optional("registeredBuyerId", nil) {
                self = .registered(buyer)
            } else if let order: OrderID = try json.optional("orderId", nil) {
                self = .order(order)
            } else if let buyer: BuyerID = try json.optional("holderId", nil) {
                self = .holder(buyer)
            } else {
                self = .caller(try json.member("callerId", nil))
            }
        }
        try json.close()
    }
}
