import Foundation

/// What a payment says of the order that it is for.
enum NamedOrder: Hashable, Sendable {
    /// Its token is the order's id.
    case byToken(UUID)
    /// The submission names the order.
    case bySubmission(UUID)
    /// A renewal, which is its chain's holder's; its token counts only where the period before it has no holder yet.
    case byRenewal(token: UUID?)
    /// An upgrade without a token, of which Apple alone tells: it is its chain's holder's.
    case nothing

    var order: UUID? {
        switch self {
        case .byToken(let order), .bySubmission(let order): order
        case .byRenewal(let token): token
        case .nothing: nil
        }
    }
}

/// An order that a phone was given before it paid.
struct PlacedOrder: Sendable {
    let buyer: Int32
    let product: UInt8
    /// The studio's number of it.
    var reference: String?
}

/// Holds the order that each payment pays, by the ledgers, against the one that it names.
///
/// | a payment names                  | it may pay that order | another that its buyer placed for its product | one made on the spot |
/// |----------------------------------|-----------------------|-----------------------------------------------|----------------------|
/// | by its token, for its product    | yes                   | no                                            | if it was taken      |
/// | by its token, for another one    | no                    | no                                            | yes                  |
/// | by its submission                | yes                   | if it was taken                               | if it was taken      |
/// | by a renewal's token             | yes, for its product  | no                                            | yes                  |
/// | nothing: a renewal               | –                     | no                                            | yes                  |
/// | nothing: an upgrade              | –                     | yes                                           | yes                  |
///
/// An order is *taken* by another payment of its buyer and product: by one with the same token, or by one without a
/// token, which pays its buyer's oldest open order where it names none, or where its own was taken. Of two such
/// payments the first that is judged pays. One that was refunded before its grant is in no ledger, and may have taken
/// what it could. No order is paid twice. An order made on the spot has no reference, a placed one keeps its own.
struct OrderBook: Sendable {
    private struct Paid: Sendable {
        let order: UUID?
        let reference: String?
        let names: NamedOrder
        let buyer: Int32
        let product: UInt8

        func suits(_ order: PlacedOrder) -> Bool { order.buyer == buyer && order.product == product }

        func name(_ payment: UInt64) -> String {
            "payment \(payment) of buyer \(buyer) for product \(product), which names \(names)"
        }
    }

    private var placed: [UUID: PlacedOrder] = [:]
    /// By the payment.
    private var paid: [UInt64: Paid] = [:]
    /// The first payment of each order.
    private var payers: [UUID: UInt64] = [:]
    /// Payments whose order another one has paid, or which have two.
    private var doubled: Set<UInt64> = []

    /// A phone has the order's number.
    mutating func place(_ order: UUID, _ content: PlacedOrder) { placed[order] = content }

    /// A ledger says which order a payment pays.
    mutating func note(_ entry: LedgerPage.Entry, of payment: UInt64, _ expectation: PurchaseExpectation) {
        if let known = paid[payment] {
            let isSame = known.order == entry.orderId && known.reference == entry.reference
            if !isSame { doubled.insert(payment) }
            return
        }
        paid[payment] = Paid(
            order: entry.orderId,
            reference: entry.reference,
            names: expectation.names,
            buyer: expectation.owner,
            product: expectation.product
        )
        guard let order = entry.orderId else { return }
        if payers[order] == nil { payers[order] = payment } else { doubled.insert(payment) }
    }

    // MARK: The verdict

    /// What is wrong, each with the payment, the order that it names, the one that it pays, and who pays the former.
    ///
    /// `ungranted` are payments that are in no ledger because a refund came before them. An order that several payments
    /// name and none pays is one fault.
    func faults(ungranted: [PurchaseExpectation]) -> [String] {
        var unpaid: Set<UUID> = []
        return paid.keys.sorted().compactMap { payment in
            guard let paid = paid[payment], !isRight(paid, payment, ungranted) else { return nil }
            if let order = paid.names.order, payers[order] == nil, !unpaid.insert(order).inserted {
                return nil
            }
            return description(of: paid, payment)
        }
    }

    /// Orders that a payment without a token has paid before the one that names them.
    var taken: Int {
        paid.values.count { payment in
            guard case .byToken(let order) = payment.names, payment.order != order,
                let other = payers[order].flatMap({ paid[$0] })
            else { return false }
            return !other.names.hasToken
        }
    }

    private func isRight(_ paid: Paid, _ payment: UInt64, _ ungranted: [PurchaseExpectation]) -> Bool {
        guard let order = paid.order, !doubled.contains(payment) else { return false }
        let content = placed[order]
        guard paid.reference == content?.reference, content.map(paid.suits) ?? true else { return false }
        switch (paid.names, content) {
        case (.byToken(order), .some), (.bySubmission(order), .some), (.byRenewal(token: order), .some):
            return true
        case (.byToken, .some), (.byRenewal, .some): return false
        case (.byToken(let named), nil):
            return placed[named].map { !paid.suits($0) } ?? true || isTaken(named, from: payment, ungranted)
        case (.bySubmission(let named), _): return isTaken(named, from: payment, ungranted)
        case (.byRenewal, nil), (.nothing, _): return true
        }
    }

    /// Whether another payment has an order that this one names, and may have it.
    private func isTaken(_ order: UUID, from payment: UInt64, _ ungranted: [PurchaseExpectation]) -> Bool {
        guard let content = placed[order] else { return false }
        if let payer = payers[order] {
            guard payer != payment, let other = paid[payer] else { return false }
            return other.suits(content) && other.names.canTake(order)
        }
        return ungranted.contains {
            $0.owner == content.buyer && $0.product == content.product && $0.names.canTake(order)
        }
    }

    private func description(of paid: Paid, _ payment: UInt64) -> String {
        let reference = paid.reference.map { ", reference \($0)" } ?? ""
        let surplus = doubled.contains(payment) ? ", which is one too many" : ""
        let (order, named) = (paid.order, paid.names.order)
        return "\(paid.name(payment)) pays \(name(order))\(reference)\(surplus); "
            + "the named order \(name(named)) is paid by \(payer(of: named))"
    }

    private func payer(of order: UUID?) -> String {
        guard let payer = order.flatMap({ payers[$0] }) else { return "nobody" }
        return paid[payer].map { $0.name(payer) } ?? "payment \(payer)"
    }

    private func name(_ order: UUID?) -> String {
        guard let order else { return "(none)" }
        guard let content = placed[order] else { return "\(order) (made on the spot)" }
        let reference = content.reference.map { ", reference \($0)" } ?? ""
        return "\(order) (placed by buyer \(content.buyer) for product \(content.product)\(reference))"
    }
}

extension NamedOrder {
    fileprivate var hasToken: Bool {
        switch self {
        case .byToken, .byRenewal(.some): true
        case .bySubmission, .byRenewal(nil), .nothing: false
        }
    }

    /// Whether a payment may pay an order before another one that names it does.
    fileprivate func canTake(_ order: UUID) -> Bool {
        switch self {
        case .byToken(let own), .byRenewal(.some(let own)): own == order
        case .bySubmission(let own): own != order
        case .byRenewal(nil): false
        case .nothing: true
        }
    }
}
