package import Contracts

extension EventID {
    /// The event id of a ledger change, derived from its entries (at least one): the same whenever sent.
    ///
    /// The ids of the entries name their buyer, so that a purchase which a restored group gives to another one is news.
    package init(ofChange entries: [LedgerEntry]) {
        self.init(unchecked: DerivedID.hexadecimal(["change"] + entries.map(\.entryId)))
    }
}
