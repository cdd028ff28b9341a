/// Asks one partition of a test home for copies of the webhooks that it has written since the last question.
///
/// It changes no delivery. The first question has the partition keep copies from then on.
///
/// - Sent by: operator
/// - Received by: notifications
package struct WebhooksListenV1: RequestContract, Hashable {
    package typealias Reply = WebhooksPage

    package static let type: EventType = "counterfoil.webhooks.listen.v1"

    /// The `last` of the previous answer; nil for the first question, whose answer has no webhooks.
    package var after: Int64? = nil
}
