/// Asks a partition's owner to copy its store, or how far that copy is.
///
/// The copy lies beside the store. A repeated request with the same `copyId` goes on with the same copy; another one
/// gives the former up.
///
/// - Sent by: operator
/// - Received by: every partition (answered by Delivery)
package struct StoreCopyV1: RequestContract, Hashable {
    package typealias Reply = StoreCopy

    package static let type: EventType = "counterfoil.store.copy.v1"

    package var copyId: String
}
