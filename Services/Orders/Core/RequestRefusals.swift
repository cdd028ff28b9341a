import Contracts
import Domain

/// Why Orders refuses a request.
extension RequestRefusal {
    static let noSuchOrder = RequestRefusal(.notFound, "There is no such order.", reason: "noSuchOrder")
    static let orderIsPaid = RequestRefusal(.conflict, "The order is paid.", reason: "orderIsPaid")

    static let quantity = invalid("quantity", "The quantity must be \(text(Limits.quantities)).")
    static let environment = invalid("environment", "The environment must be a name such as Production.")
    static let reference = invalid(
        "reference",
        "The reference must have \(text(Limits.referenceBytes)) printable bytes."
    )
    static let metadata = invalid(
        "metadata",
        "The metadata must not exceed \(Limits.metadataBytes) bytes of JSON."
    )
    static let idempotencyKey = invalid(
        "Idempotency-Key",
        "The Idempotency-Key must have \(text(Limits.idempotencyKeyBytes)) printable bytes."
    )
    static let limit = invalid("limit", "The limit must be a positive number.")
    static let keyReused = conflict(
        "Idempotency-Key",
        "The Idempotency-Key was used for a request with other content.",
        "keyReused"
    )
    static let referenceTaken = conflict(
        "reference",
        "Another order of this buyer has this reference.",
        "referenceTaken"
    )
    static let notOnSale = RequestRefusal(
        .invalid,
        "The product is not on sale now.",
        field: "productId",
        reason: "notOnSale"
    )
    static let limitReached = conflict(
        "productId",
        "The buyer has paid for as many of this product as one buyer may.",
        "limitReached"
    )

    /// The buyer has an open order of the same product.
    static func openOrder(_ order: Order) -> RequestRefusal {
        let detail = "The buyer has an open order of this product."
        return RequestRefusal(.conflict, detail, field: "onlyOne", reason: "openOrder", order: order.snapshot)
    }

    static let pageLimit = invalid("limit", "The limit must be \(text(Limits.ordersOfPage)).")
    static let errorDomain = invalid(
        "errorDomain",
        "The domain must have \(text(Limits.errorDomainBytes)) printable bytes."
    )
    static let errorCode = invalid(
        "errorCode",
        "The code must have \(text(Limits.errorCodeBytes)) printable bytes."
    )

    static let tokenIsNoUUID = invalid("appAccountToken", "The token must be a UUID other than the nil UUID.")
    static let tokenIsOrder = RequestRefusal(
        .invalid,
        "The token is the id of an order.",
        field: "appAccountToken",
        reason: "tokenIsOrder"
    )
    static let tokenTaken = conflict(
        "appAccountToken",
        "The token is registered for another buyer.",
        "tokenTaken"
    )

    private static func invalid(_ field: String, _ detail: String) -> RequestRefusal {
        RequestRefusal(.invalid, detail, field: field)
    }

    private static func conflict(_ field: String, _ detail: String, _ reason: String) -> RequestRefusal {
        RequestRefusal(.conflict, detail, field: field, reason: reason)
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }
}
