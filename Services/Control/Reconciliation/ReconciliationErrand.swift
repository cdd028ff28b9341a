import Contracts

/// One thing that an operator wants to know from Apple.
enum ReconciliationErrand: Equatable {
    /// Where purchases are looked for.
    struct Place: Equatable {
        let bundleID: BundleID
        let environment: Environment
    }

    case question(AppleAskV1)
    /// The purchases of an order, whose number is of one of these apps.
    case order(String, of: [BundleID])
    /// Everything that was bought by the Apple accounts that a buyer's ledger leads to.
    case purchases(of: BuyerID, in: [Place], since: Timestamp?)
}
