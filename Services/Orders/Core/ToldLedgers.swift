import Contracts

extension PurchaseReportedV1 {
    /// This report to each ledger that hears of the purchase.
    ///
    /// Tested by: `TransferTests`.
    ///
    /// | the purchase  | its reports, in this order                                          |
    /// |---------------|---------------------------------------------------------------------|
    /// | has not moved | the holder's                                                        |
    /// | has moved     | the payer's, who keeps the amounts; the holder's, who has the rest  |
    ///
    /// Only the holder's says how often it has moved, and only that one carries the submission.
    func toldLedgers(after transferred: Transferred?) -> [PurchaseReportedV1] {
        guard let transferred else { return [self] }
        var (payers, holders) = (self, self)
        (payers.buyerId, payers.submission) = (transferred.payerId, nil)
        holders.transfers = transferred.count
        return [payers, holders]
    }
}
