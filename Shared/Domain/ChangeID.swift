package import Contracts

extension EventID {
    /// The id of the event that tells of a change of the ledger, which has one line at least: the same whenever it is
    /// told, as those of the lines are.
    package init(ofChange entries: [LedgerEntry]) {
        self.init(unchecked: DerivedID.hexadecimal(["change"] + entries.map(\.entryId)))
    }
}
