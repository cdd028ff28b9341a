/// Why a purchase is to go to another login.
package enum TransferCause: String, Codable, Sendable, CaseIterable {
    /// The other login restores it: the catalog decides, and the buyer who paid keeps the amounts.
    case restore
    /// Apple's signed token, or an order before its payment, names the other buyer: access moves, and a purchase that
    /// gave amounts stays.
    case evidence
    /// An operator has decided it: everything goes.
    case reassign
}
