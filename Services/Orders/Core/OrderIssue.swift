package import Contracts
import Domain

/// Judges requests for new orders.
///
/// | the key names an order  | its content      | judgement              |
/// |-------------------------|------------------|------------------------|
/// | yes                     | the same         | repeated               |
/// | yes                     | another          | refused: keyReused     |
/// | no; the reference does  | –                | refused: referenceTaken |
package enum OrderIssue {
    /// Why no order is made.
    package enum Refusal: Error, Equatable, Sendable, CaseIterable {
        case quantity
        case environment
        case reference
        case metadata
        case idempotencyKey
        /// The same idempotency key came with other content before.
        case keyReused
        /// Another order of the app carries the reference.
        case referenceTaken
    }

    /// Checks what a request asks for against the limits.
    ///
    /// `metadataBytes` is the size of the metadata as JSON, 0 when there is none.
    ///
    /// - Throws: `Refusal`, naming the member that is wrong.
    package static func check(_ request: OrderIssueV1, metadataBytes: Int) throws(Refusal) {
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

    /// Judges a request for which the store would not take a new order.
    ///
    /// `sameKey` is the buyer's order under the same idempotency key.
    ///
    /// - Returns: the order that the request made before.
    /// - Throws: `Refusal`.
    package static func repetition(of content: OrderContent, sameKey: Order?) throws(Refusal) -> Order {
        guard let sameKey else { throw .referenceTaken }
        guard sameKey.content == content else { throw .keyReused }
        return sameKey
    }
}
