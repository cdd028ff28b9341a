package import Contracts

extension EventID {
    /// The event id of a ledger change, derived from its entries (at least one): the same whenever sent.
    package init(ofChange entries: [LedgerEntry]) {
        self.init(unchecked: DerivedID.hexadecimal(["change"] + entries.map(\.entryId)))
    }
}
