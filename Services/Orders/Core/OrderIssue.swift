import Contracts
import Domain

/// Judges requests for new orders.
///
/// | the key names an order  | its content      | judgement              |
/// |-------------------------|------------------|------------------------|
/// | yes                     | the same         | repeated               |
/// | yes                     | another          | refused: keyReused     |
/// | no; the reference does  | –                | refused: referenceTaken |
enum OrderIssue {
    /// Checks a request against the limits; `metadataBytes` is the size of its metadata as JSON, 0 without any.
    static func check(_ request: OrderIssueV1, metadataBytes: Int) throws(RequestRefusal) {
        guard OrderContent.quantities.contains(request.quantity) else { throw .quantity }
        guard request.environment.rawValue.isPrintable(bytes: OrderContent.environmentBytes) else {
            throw .environment
        }
        guard request.idempotencyKey.isPrintable(bytes: Limits.idempotencyKeyBytes) else {
            throw .idempotencyKey
        }
        guard request.reference?.isPrintable(bytes: Limits.referenceBytes) != false else { throw .reference }
        guard metadataBytes <= OrderContent.maximumMetadataBytes else { throw .metadata }
    }

    /// The order that the same request made before; `sameKey` is the buyer's order under the same idempotency key.
    static func repetition(of content: OrderContent, sameKey: Order?) throws(RequestRefusal) -> Order {
        guard let sameKey else { throw .referenceTaken }
        guard sameKey.content == content else { throw .keyReused }
        return sameKey
    }
}
