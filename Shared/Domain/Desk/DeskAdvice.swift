package import Contracts

/// What would help where something waits.
package enum DeskAdvice: String, CaseIterable, Sendable {
    case assign, retryProof, retryNotification, retryGrant, awaitApple, reassign, askPlayer, awaitLedger
    case mendServer, askAgain, checkNumber
    /// Of compensations: `assignTo` names the buyer who has one.
    case confirm, assignTo, withdraw, reverse

    package init(_ row: DeskPage.Row) {
        self =
            switch row.kind {
            case .orphan: .assign
            case .parkedProof: .retryProof
            case .parkedNotification: .retryNotification
            case .parkedGrant: .retryGrant
            case .awaitsApple: .awaitApple
            case .contested: .reassign
            case .unpaid: .askPlayer
            case .ungranted: .awaitLedger
            case .undelivered: .mendServer
            case .proposedCompensation, .contestedCompensation: Self.ofCompensation(row)
            case .proposedMove: .confirm
            }
    }

    /// What helps where its purchase is another buyer's, or nobody's, or not known.
    private static func ofCompensation(_ row: DeskPage.Row) -> DeskAdvice {
        let isProposed = row.kind == .proposedCompensation
        guard row.purchaseId != nil else { return isProposed ? .confirm : .reverse }
        guard row.holderId != nil else { return .assignTo }
        return isProposed ? .withdraw : .reverse
    }

    /// Nil of a fact that asks for nothing.
    package init?(_ fact: DeskFact) {
        switch fact.kind {
        case .compensated where fact.word == CompensationV1.State.proposed.rawValue: self = .confirm
        case .moveProposed where fact.word == "proposed": self = .confirm
        case .orphan: self = .assign
        case .proofParked: self = .retryProof
        case .notificationParked: self = .retryNotification
        case .grantParked: self = .retryGrant
        case .awaitsApple, .proofPending: self = .awaitApple
        case .contested: self = .reassign
        case .awaitsPayment, .proofInvalid: self = .askPlayer
        case .awaitsLedger, .awaitsOrders: self = .awaitLedger
        case .serverRefuses: self = .mendServer
        case .appleOrderAsked: self = .askAgain
        case .appleOrderUnknown: self = .checkNumber
        case .ordered, .orderMade, .closed, .reported, .paid, .released, .phoneStep, .handedIn, .askedApple,
            .appleNotified,
            .bought, .refunded, .verified, .held, .moved, .moveProposed, .granted, .grantReversed, .grantVoid,
            .neverGranted,
            .entry, .compensated, .phoneTold, .serverTold, .serverAwaited, .appleOrder, .act, .ledgerAct:
            return nil
        }
    }
}
