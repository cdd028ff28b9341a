import Contracts
import Domain

/// Why Orders refuses a request.
extension RequestRefusal {
    static let noSuchOrder = RequestRefusal(.notFound, "There is no such order.")
    static let noOrderNamed = invalid("orderId", "Name an order by its id or its reference.")
    static let orderIsPaid = RequestRefusal(.conflict, "The order is paid.")

    static let quantity = invalid("quantity", "The quantity must be \(text(OrderContent.quantities)).")
    static let environment = invalid("environment", "The environment must be a name such as Production.")
    static let reference = invalid(
        "reference",
        "The reference must have \(text(Limits.referenceBytes)) printable bytes."
    )
    static let metadata = invalid(
        "metadata",
        "The metadata must not exceed \(OrderContent.maximumMetadataBytes) bytes of JSON."
    )
    static let idempotencyKey = invalid(
        "Idempotency-Key",
        "The Idempotency-Key must have \(text(Limits.idempotencyKeyBytes)) printable bytes."
    )
    static let keyReused = conflict(
        "Idempotency-Key",
        "The Idempotency-Key was used for a request with other content."
    )
    static let referenceTaken = conflict("reference", "Another order carries this reference.")

    static let tokenIsNoUUID = invalid("appAccountToken", "The token must be a UUID.")
    static let tokenIsOrder = invalid("appAccountToken", "The token is the id of an order.")
    static let tokenTaken = conflict("appAccountToken", "The token is registered for another buyer.")

    private static func invalid(_ field: String, _ detail: String) -> RequestRefusal {
        RequestRefusal(.invalid, detail, field: field)
    }

    private static func conflict(_ field: String, _ detail: String) -> RequestRefusal {
        RequestRefusal(.conflict, detail, field: field)
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }
}
