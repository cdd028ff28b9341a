import Contracts

/// Whether a buyer still has a purchase that transfers may move to other logins, and by which one it came.
///
/// Tested by: `ForfeitMachineTests`, `TransferTests`.
///
/// | from \ event | reported, later transfer | reported, known or earlier | taken, later | taken, known or earlier |
/// |--------------|--------------------------|----------------------------|--------------|-------------------------|
/// | held         | held, noted              | again                      | left         | again                   |
/// | left         | held: it returns         | again: only amounts follow | left, noted  | again                   |
///
/// Who loses it to evidence or by an operator has *forfeited* it, and never was its payer. Such a buyer, and one to
/// whom a restore brought it, may turn out to be its payer by a later transfer. Orders tells so by a pair of reports
/// under the order that the purchase pays: one without transfers, which alone changes nothing, and one with that
/// transfer. Where a restore brings it, the second one comes alone, under the payer's order.
struct HolderStatus: Codable, Hashable, Sendable {
    /// The transfer by which the buyer first came to it; 0 of one who was its payer, who alone has the amounts.
    var first = 0
    /// The latest transfer that is known here.
    var last = 0
    /// To whom it went with that one; nil while the buyer holds it.
    var leftTo: BuyerID?
    /// Why it has turned out not to be the buyer's, until it turns out to be; nil otherwise.
    var forfeited: TransferCause?
    /// The order of the last report without transfers, where the buyer is not the payer.
    var order: OrderID?

    /// Whether it was granted to the buyer as its payer, even if it has turned out to be another one's.
    var wasPayers: Bool { first == 0 }
    /// Whether the buyer paid for it.
    var isPayers: Bool { wasPayers && forfeited == nil }
    var hasLeft: Bool { leftTo != nil }

    /// Notes a report that this buyer has it by a transfer; returns whether it returns to the buyer.
    @discardableResult
    mutating func report(_ transfer: Int) -> Bool {
        guard transfer > last else { return false }
        defer { (last, leftTo) = (transfer, nil) }
        return hasLeft
    }

    /// Notes that it went to another buyer; returns whether it was here until now.
    @discardableResult
    mutating func leave(to buyer: BuyerID, by transfer: Int) -> Bool {
        guard transfer > last else { return false }
        defer { (last, leftTo) = (transfer, buyer) }
        return !hasLeft
    }

    /// Notes that it has turned out to be another buyer's; `order` is the one that the buyer had paid, if known.
    mutating func forfeit(
        to buyer: BuyerID,
        by transfer: Int,
        because cause: TransferCause,
        under order: OrderID?
    ) {
        guard transfer > last else { return }
        if isPayers { self.order = order }
        forfeited = cause
        leave(to: buyer, by: transfer)
    }

    /// Whether a report with a later transfer gives it as to its payer, and not what a restore brings from another
    /// ledger.
    func isPaid(under order: OrderID?) -> Bool {
        isPayers ? !hasLeft : order != nil && order == self.order
    }
}

extension HolderStatus: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        first = try json.member("first", value?.first)
        last = try json.member("last", value?.last)
        leftTo = try json.optional("leftTo", value?.leftTo)
        forfeited = try json.optional("forfeited", value?.forfeited)
        order = try json.optional("order", value?.order)
        try json.close()
    }
}
