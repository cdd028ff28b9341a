import Contracts

extension Claim {
    /// What is read beside the row before an event, and never stored with the claim.
    struct Reading: Equatable, Sendable {
        /// Above all requests of an earlier owner.
        var firstAttempt = 0
        /// Who holds the chain of the transaction.
        var chain: ChainHolder?
        /// The time, and what is known of the chain's transfers.
        var transferHistory = TransferHistory()
        /// Whether Apple can be asked about the incoming statement, which does not say whose it is.
        var inquiry: HistoryInquiry?
        /// Whether one of its names is being registered, before which nobody is proposed; read where the claim is told
        /// of the time, or of Apple's last word.
        var isRegistering = false
        /// Whether a token that it states is somebody's deed, and not repeated by a renewal.
        var isDeed = true
        /// Who holds the period before it by Apple's word or an operator's; read where a hint has given it.
        var signedForerunner: BuyerID?
        /// Whether that is the holder of the chain that its own replaces.
        var isForerunnerReplaced = false
        /// How firmly the holder has it; read where a submission names an order.
        var firmness = ClaimFirmness.firm
    }
}
