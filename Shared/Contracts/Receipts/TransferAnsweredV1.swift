/// The ledger answers a request to take a purchase back from its holder.
///
/// - Sent by: entitlements
/// - Received by: receipts
package struct TransferAnsweredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transfer.answered.v1"

    /// As the ledger knows it: a restored store of Receipts may have lost it.
    package var transaction: TransactionFacts
    /// From whom it was to be taken.
    package var buyerId: BuyerID
    /// To whom it goes; in a restored store perhaps not who asked last.
    package var toBuyerId: BuyerID
    /// Which transfer of the purchase it is; the first is 1.
    package var transfer: Int
    /// Whether it was taken back; if not, the holder keeps it.
    package var isTaken: Bool
    package var cause: TransferCause

    package init(
        _ transaction: TransactionFacts,
        buyerId: BuyerID,
        toBuyerId: BuyerID,
        transfer: Int,
        isTaken: Bool,
        cause: TransferCause = .restore
    ) {
        self.transaction = transaction
        self.buyerId = buyerId
        self.toBuyerId = toBuyerId
        self.transfer = transfer
        self.isTaken = isTaken
        self.cause = cause
    }
}
