package import Contracts

/// How one purchase stands, as all that is known of it says.
///
/// The first line that holds:
///
/// | known                                                                   | state         |
/// |-------------------------------------------------------------------------|------------------|
/// | a buyer has the grant, and Apple has signed a refund since              | `refundUnderWay` |
/// | a buyer has the grant                                                   | `granted`        |
/// | the ledger has parked it                                                | `parked`         |
/// | the ledger has taken it back                                            | `takenBack`      |
/// | the refund came first, or another buyer's grant is void                 | `neverGranted`   |
/// | an order is paid, or a buyer holds the purchase                         | `awaitsLedger`   |
/// | nobody holds the purchase                                               | `orphan`         |
/// | Apple's word about the purchase is missing                              | `awaitsApple`    |
/// | Orders has not answered yet                                             | `awaitsOrders`   |
/// | its proof is parked, waits, or is none                                  | `proof…`         |
/// | operators have given the goods without it                               | `compensated`    |
/// | one operator has proposed that                                          | `compensationProposed` |
/// | the phone says that the purchase failed                                 | `failed`         |
/// | an order is not paid                                                    | `unpaid`         |
/// | an order was closed                                                     | `closed`         |
/// | operators have taken back what they gave                                | `compensationReversed` |
/// | what one operator has proposed is void                                  | `compensationVoid` |
/// | Apple is asked about its own order id, or does not know it              | `appleOrder…`    |
/// | anything else                                                           | `unknown`        |
///
/// What stands for a compensation in the ledger is no purchase's grant.
package struct DeskState: Equatable, Sendable {
    /// How it stands.
    package enum Kind: String, CaseIterable, Sendable {
        case granted, refundUnderWay, parked, takenBack, neverGranted, awaitsLedger
        case orphan, awaitsApple, awaitsOrders
        case proofParked, proofPending, proofInvalid
        case compensated, compensationProposed, compensationReversed, compensationVoid
        case failed, unpaid, closed
        case appleOrderAsked, appleOrderUnknown, unknown

        /// Whether somebody waits for something.
        package var isTrouble: Bool {
            switch self {
            case .granted, .takenBack, .neverGranted, .closed, .unknown, .unpaid, .failed, .compensated,
                .compensationReversed, .compensationVoid:
                false
            case .compensationProposed, .refundUnderWay, .parked, .awaitsLedger, .orphan, .awaitsApple,
                .awaitsOrders, .proofParked,
                .proofPending, .proofInvalid, .appleOrderAsked, .appleOrderUnknown:
                true
            }
        }
    }

    package let kind: Kind
    /// The fact that decides it; nil where nothing is known.
    package let decisive: DeskFact?
    package let paidAt: Timestamp?
    package let grantedAt: Timestamp?

    package init(_ facts: [DeskFact]) {
        let facts = facts.filter { !$0.isOfCompensationsGrant }.sorted { $0.at < $1.at }
        let (offered, given) = (Self.compensation(facts, .proposed), Self.compensation(facts, .granted))
        func last(_ kinds: DeskFact.Kind...) -> DeskFact? { facts.last { kinds.contains($0.kind) } }
        let (grant, refund) = (Self.grantThatStands(facts), last(.refunded))
        let found: (Kind, DeskFact?) =
            if let grant, let refund, refund.at > grant.at {
                (.refundUnderWay, refund)
            } else if let grant {
                (.granted, grant)
            } else if let parked = last(.grantParked) {
                (.parked, parked)
            } else if let reversed = last(.grantReversed) {
                (.takenBack, reversed)
            } else if let none = last(.neverGranted, .grantVoid) {
                (.neverGranted, none)
            } else if let paid = last(.paid, .held) {
                (.awaitsLedger, paid)
            } else if let orphan = last(.orphan) {
                (.orphan, orphan)
            } else if let waiting = last(.awaitsApple) {
                (.awaitsApple, waiting)
            } else if let proposed = last(.awaitsOrders, .bought, .verified) {
                (.awaitsOrders, proposed)
            } else {
                Self.withProof(last) ?? given.map { (.compensated, $0) }
                    ?? offered.map { (.compensationProposed, $0) } ?? Self.withoutPurchase(last)
                    ?? Self.compensation(facts, .reversed).map { (.compensationReversed, $0) }
                    ?? Self.compensation(facts, .void).map { (.compensationVoid, $0) }
                    ?? Self.ofAppleOrder(last)
            }
        (kind, decisive) = found
        paidAt = last(.bought)?.at ?? last(.paid)?.at
        grantedAt = last(.granted)?.at
    }

    private static func withProof(_ last: (DeskFact.Kind...) -> DeskFact?) -> (Kind, DeskFact?)? {
        if let parked = last(.proofParked, .notificationParked) { return (.proofParked, parked) }
        if let pending = last(.proofPending) { return (.proofPending, pending) }
        return last(.proofInvalid).map { (.proofInvalid, $0) }
    }

    private static func withoutPurchase(
        _ last: (DeskFact.Kind...) -> DeskFact?
    ) -> (Kind, DeskFact?)? {
        if let failed = last(.reported) { return (.failed, failed) }
        if let unpaid = last(.awaitsPayment) { return (.unpaid, unpaid) }
        return last(.closed).map { (.closed, $0) }
    }

    private static func ofAppleOrder(_ last: (DeskFact.Kind...) -> DeskFact?) -> (Kind, DeskFact?) {
        if let asked = last(.appleOrderAsked) { return (.appleOrderAsked, asked) }
        if let unknown = last(.appleOrderUnknown) { return (.appleOrderUnknown, unknown) }
        return (.unknown, nil)
    }

    /// The newest compensation in a state.
    package static func compensation(_ facts: [DeskFact], _ state: CompensationV1.State) -> DeskFact? {
        facts.filter { $0.kind == .compensated && $0.word == state.rawValue }.max { $0.at < $1.at }
    }

    /// The grant of a buyer of whom nothing newer is said.
    private static func grantThatStands(_ facts: [DeskFact]) -> DeskFact? {
        facts.last { grant in
            grant.kind == .granted
                && !facts.contains {
                    [.grantParked, .grantReversed, .grantVoid, .neverGranted].contains($0.kind)
                        && $0.buyerId == grant.buyerId
                }
        }
    }
}

extension DeskFact {
    /// Whether it is of the goods that a compensation gave, and not of the compensation.
    fileprivate var isOfCompensationsGrant: Bool {
        kind != .compensated && kind != .act && kind != .ledgerAct && purchaseId?.isCompensation == true
    }
}
