import Delivery
import Domain

extension RequestRefusal {
    static let noSuchOrder = RequestRefusal(.notFound, "There is no such order.")

    static let noOrderNamed = RequestRefusal(
        .invalid,
        "Name an order by its id or its reference.",
        field: "orderId"
    )

    init(_ refusal: OrderIssue.Refusal) {
        switch refusal {
        case .quantity:
            let range = OrderContent.quantities
            let detail = "The quantity must be \(range.lowerBound) to \(range.upperBound)."
            self.init(.invalid, detail, field: "quantity")
        case .environment:
            self.init(.invalid, "The environment must be a name such as Production.", field: "environment")
        case .reference:
            let bytes = Limits.referenceBytes.upperBound
            self.init(.invalid, "The reference must have 1 to \(bytes) printable bytes.", field: "reference")
        case .metadata:
            let bytes = OrderContent.maximumMetadataBytes
            self.init(.invalid, "The metadata must not exceed \(bytes) bytes of JSON.", field: "metadata")
        case .idempotencyKey:
            let bytes = Limits.idempotencyKeyBytes.upperBound
            self.init(
                .invalid,
                "The Idempotency-Key must have 1 to \(bytes) printable bytes.",
                field: "Idempotency-Key"
            )
        case .keyReused:
            let detail = "The Idempotency-Key was used for a request with other content."
            self.init(.conflict, detail, field: "Idempotency-Key")
        case .referenceTaken:
            self.init(.conflict, "Another order carries this reference.", field: "reference")
        }
    }

    init(_ refusal: OrderRefusal) {
        switch refusal {
        case .paid: self.init(.conflict, "The order is paid.")
        case .paidByAnother: self.init(.conflict, "The order is paid by another purchase.")
        case .unpaid: self.init(.conflict, "The order is not paid.")
        }
    }

    init(_ refusal: TokenRegistration.Refusal) {
        let field = "appAccountToken"
        switch refusal {
        case .notUUID: self.init(.invalid, "The token must be a UUID.", field: field)
        case .isOrder: self.init(.invalid, "The token is the id of an order.", field: field)
        case .taken: self.init(.conflict, "The token is registered for another buyer.", field: field)
        }
    }
}
