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
    /// Why no order is made.
    enum Refusal: Error, Equatable, Sendable, CaseIterable {
        case quantity
        case environment
        case reference
        case metadata
        case idempotencyKey
        case keyReused
        case referenceTaken
    }

    /// Checks a request against the limits; `metadataBytes` is the size of its metadata as JSON, 0 without any.
    ///
    /// - Throws: `Refusal`, naming the wrong member.
    static func check(_ request: OrderIssueV1, metadataBytes: Int) throws(Refusal) {
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
    ///
    /// - Throws: `Refusal` when the key came with other content, or the reference is taken.
    static func repetition(of content: OrderContent, sameKey: Order?) throws(Refusal) -> Order {
        guard let sameKey else { throw .referenceTaken }
        guard sameKey.content == content else { throw .keyReused }
        return sameKey
    }
}
