import Contracts
import Domain

/// Why Orders refuses a request.
extension RequestRefusal {
    static let noSuchOrder = RequestRefusal(.notFound, "There is no such order.", reason: "noSuchOrder")
    static let orderIsPaid = RequestRefusal(.conflict, "The order is paid.", reason: "orderIsPaid")

    static let quantity = invalid("quantity", "The quantity must be \(text(Limits.quantities)).")
    static let environment = invalid("environment", "The environment must be a name such as Production.")
    static let reference = unprintable("reference", "reference", Limits.referenceBytes)
    static let referenceOfPhone = invalid("reference", "Only a server of the app may name a reference.")
    static let metadata = invalid(
        "metadata",
        "The metadata must not exceed \(Limits.metadataBytes) bytes of JSON."
    )
    static let idempotencyKey = unprintable("Idempotency-Key", "Idempotency-Key", Limits.idempotencyKeyBytes)
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
    static let notOnSale = invalid("productId", "The product is not on sale now.", "notOnSale")
    static let limitReached = conflict(
        "productId",
        "The buyer has paid for as many of this product as one buyer may.",
        "limitReached"
    )

    static let tooManyUnpaidOrders = conflict(
        "buyerId",
        "The buyer has as many unpaid orders as a phone may issue, or closed too many lately: close some, or wait.",
        "tooManyUnpaidOrders"
    )

    /// The buyer has an open order of the same product.
    static func openOrder(_ order: Order) -> RequestRefusal {
        let detail = "The buyer has an open order of this product."
        return RequestRefusal(.conflict, detail, field: "onlyOne", reason: "openOrder", order: order.snapshot)
    }

    static let pageLimit = invalid("limit", "The limit must be \(text(Limits.ordersOfPage)).")
    static let errorDomain = unprintable("errorDomain", "domain", Limits.errorDomainBytes)
    static let errorCode = unprintable("errorCode", "code", Limits.errorCodeBytes)

    static let logEntries = invalid(
        "entries",
        "The log must have \(Limits.stepLogEntries) entries at most."
    )
    static let logTime = invalid("at", "The time must be ms from 1970 to 9999.")
    static func logText(_ name: String) -> RequestRefusal {
        invalid(name, "The \(name) must have \(Limits.stepTextCharacters) characters at most.")
    }

    static let tokenIsNoUUID = invalid("appAccountToken", "The token must be a UUID other than the nil UUID.")
    static let tokenIsOrder = invalid("appAccountToken", "The token is the id of an order.", "tokenIsOrder")
    static let tokenTaken = conflict(
        "appAccountToken",
        "The token is registered for another buyer.",
        "tokenTaken"
    )

    private static func invalid(
        _ field: String,
        _ detail: String,
        _ reason: String? = nil
    ) -> RequestRefusal {
        RequestRefusal(.invalid, detail, field: field, reason: reason)
    }

    private static func unprintable(
        _ field: String,
        _ name: String,
        _ bytes: ClosedRange<Int>
    ) -> RequestRefusal {
        invalid(field, "The \(name) must have \(text(bytes)) printable bytes.")
    }

    private static func conflict(_ field: String, _ detail: String, _ reason: String) -> RequestRefusal {
        RequestRefusal(.conflict, detail, field: field, reason: reason)
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }
}
