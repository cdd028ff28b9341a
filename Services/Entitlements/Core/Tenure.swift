import Contracts

/// How long a buyer has a purchase that restores may move to other logins.
///
/// | from \ event | requested of a later transfer | of the known one or an earlier | taken by a later transfer | by the known one or an earlier |
/// |--------------|-------------------------------|--------------------------------|---------------------------|--------------------------------|
/// | held         | held, noted                   | again                          | left                      | again                          |
/// | left         | held: it returns              | again: only amounts follow     | left, noted               | again                          |
struct Tenure: Codable, Hashable, Sendable {
    /// The transfer by which the buyer first came to it; 0 of the one who paid, who alone has the amounts.
    var first = 0
    /// The latest transfer that is known here.
    var last = 0
    /// To whom it went with that one; nil while the buyer holds it.
    var leftTo: BuyerID?

    /// Whether the buyer paid for it.
    var isPayers: Bool { first == 0 }
    var hasLeft: Bool { leftTo != nil }

    /// Notes a request that this buyer has it by a transfer; returns whether it returns to the buyer.
    @discardableResult
    mutating func request(_ transfer: Int) -> Bool {
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
}

extension Tenure: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        first = try json.member("first", value?.first)
        last = try json.member("last", value?.last)
        leftTo = try json.optional("leftTo", value?.leftTo)
        try json.close()
    }
}
