import Contracts
import Domain

/// Judges requests for new orders.
///
/// Tested by: `OrderRulesTests`, `PhoneOrderTests`.
///
/// | the key names an order  | its content      | judgement              |
/// |-------------------------|------------------|------------------------|
/// | yes                     | the same         | repeated               |
/// | yes                     | another          | refused: keyReused     |
/// | no; the reference names another of the buyer's | – | refused: referenceTaken |
///
/// A request whose key names no order may still be refused, in this order; open and unpaid orders and paid units are
/// read for such requests only:
///
/// | the request has | the buyer has, of the product and environment       | judgement             |
/// |-----------------|-----------------------------------------------------|-----------------------|
/// | no sale         | –                                                   | refused: notOnSale    |
/// | a phone that asks | `Limits.unpaidOrdersOfPhone` orders issued or deferred, of any product and environment | refused: tooManyUnpaidOrders |
/// | `onlyOne`       | an order issued, deferred, paid or parked           | refused: openOrder    |
/// | a limit         | paid for units that exceed it with the new quantity | refused: limitReached |
enum OrderIssue {
    /// Checks a request against the limits; `metadataBytes` is the size of its metadata as JSON, 0 without any.
    static func check(_ request: OrderIssueV1, metadataBytes: Int) throws(RequestRefusal) {
        guard Limits.quantities.contains(request.quantity) else { throw .quantity }
        guard request.environment.rawValue.isPrintable(bytes: Limits.environmentBytes) else {
            throw .environment
        }
        guard request.idempotencyKey.isPrintable(bytes: Limits.idempotencyKeyBytes) else {
            throw .idempotencyKey
        }
        guard request.reference?.isPrintable(bytes: Limits.referenceBytes) != false else { throw .reference }
        guard request.issuedBy == nil || request.reference == nil else { throw .referenceOfPhone }
        guard request.limit.map({ $0 >= 1 }) != false else { throw .limit }
        guard metadataBytes <= Limits.metadataBytes else { throw .metadata }
    }

    /// Whether a new order is more than a buyer may have: `open` is one of the product, `paidUnits` what is paid of it,
    /// `unpaidOrders` how many are unpaid of all products.
    static func admit(
        _ request: OrderIssueV1,
        open: Order?,
        paidUnits: Int,
        unpaidOrders: Int = 0
    ) throws(RequestRefusal) {
        guard request.onSale != false else { throw .notOnSale }
        if request.issuedBy == .phone, unpaidOrders >= Limits.unpaidOrdersOfPhone {
            throw .tooManyUnpaidOrders
        }
        if request.onlyOne == true, let open { throw .openOrder(open) }
        guard let limit = request.limit else { return }
        guard paidUnits + request.quantity <= limit else { throw .limitReached }
    }

    /// The order that the same request made before; `sameKey` is the buyer's order under the same idempotency key.
    static func repetition(of content: OrderContent, sameKey: Order?) throws(RequestRefusal) -> Order {
        guard let sameKey else { throw .referenceTaken }
        guard sameKey.content == content else { throw .keyReused }
        return sameKey
    }
}
