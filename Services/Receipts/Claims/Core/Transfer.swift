import Contracts
import Domain

/// Whether a held purchase is on its way to another login that restores it, and when it moved last.
///
/// Tested by: `TransferTests`.
///
/// | from \ event | asked by who may | asked by another | decided                          | taken     | kept, of who asked | kept, of another | taken back    |
/// |--------------|------------------|------------------|----------------------------------|-----------|--------------------|------------------|---------------|
/// | resting      | `requested`      | refused          | `requested`                      | `resting` | again              | again            | `takenBack`   |
/// | requested    | again            | refused          | of who asked again, else refused | `resting` | `resting`          | again            | `takenBack`   |
/// | taken back   | refused          | refused          | refused                          | `resting` | again              | again            | the later one |
///
/// - *who may*: nobody else has asked for a purchase of the chain, and none of it has moved in the last 30 days. While
///   it is requested, that is only who has asked.
/// - *decided*: an operator gives it back to who paid for it, whenever it moved last.
/// - *taken*: the ledger has taken it back from its holder; the time is noted. *kept*: the catalog lets the holder keep
///   it.
/// - *taken back*: the ledger has taken it back, and the claim, in a restored store, is not held yet. The answer waits
///   there.
/// - *again*: nothing changes.
///
/// Entitlements alone knows the catalog, so the claim stays with its holder until the ledger has answered. What each
/// crash leaves, and who finds it:
///
/// | the last commit before the crash, or in a restored store | who goes on |
/// |---|---|
/// | the request, with the submission as a waiter | the link to Entitlements; a repeated submission and a redrive repeat it |
/// | the ledger has taken it back, and nobody has it | the link to Receipts; a repeated request is answered again |
/// | the claim has moved | the links to Orders and Entitlements; each redrive restates it |
/// | the new holder has it, and a restored ledger lets the old one have it, too | the redrive of Receipts takes it back again |
/// | the ledger has taken it back, and a restored claim has no holder or is unknown | the answer waits at the claim until Orders names the holder |
/// | a restored claim has the new holder from Orders, and no steps | the redrives of the ledgers state each step, which is noted |
/// | a restored claim is still the old holder's | the redrives of Orders and Entitlements name the new one |
struct Transfer: Equatable, Sendable {
    /// The shortest time between two transfers of a purchase, or of any two periods of a chain: 30 days, in ms.
    static let interval: Int64 = 30 * 86_400_000

    /// Whether somebody has asked for the purchase.
    enum State: Hashable, Sendable {
        case resting
        case requested(by: BuyerID)
        case takenBack(for: BuyerID, transfer: Int, TransferCause)
    }

    enum Event: Hashable, Sendable {
        case asked(by: BuyerID, History)
        case decided(for: BuyerID)
        case taken(at: Timestamp)
        case kept(of: BuyerID)
        case takenBack(for: BuyerID, transfer: Int, TransferCause)
    }

    enum Outcome: Hashable, Sendable {
        case applied, again, refused
    }

    private(set) var state: State = .resting
    /// When it moved last; nil as long as it never did.
    private(set) var movedAt: Timestamp?

    /// Who waits for the ledger's answer.
    var requester: BuyerID? { if case .requested(let buyer) = state { buyer } else { nil } }

    /// To whom the ledger has moved it, and by which transfer, before the claim is held here.
    var takenBack: (buyer: BuyerID, transfer: Int, cause: TransferCause)? {
        if case .takenBack(let buyer, let transfer, let cause) = state {
            (buyer, transfer, cause)
        } else {
            nil
        }
    }

    mutating func apply(_ event: Event) -> Outcome {
        switch (state, event) {
        case (.resting, .asked(let buyer, let history)):
            guard history.permits(buyer, movedAt: movedAt) else { return .refused }
            state = .requested(by: buyer)
            return .applied
        case (.resting, .decided(let buyer)):
            state = .requested(by: buyer)
            return .applied
        case (.requested(let known), .asked(let buyer, _)), (.requested(let known), .decided(let buyer)):
            return buyer == known ? .again : .refused
        case (.takenBack, .asked), (.takenBack, .decided):
            return .refused
        case (.resting, .taken(let time)), (.requested, .taken(let time)), (.takenBack, .taken(let time)):
            self = Transfer(state: .resting, movedAt: time)
            return .applied
        case (.requested(let known), .kept(let buyer)):
            guard buyer == known else { return .again }
            state = .resting
            return .applied
        case (.resting, .kept), (.takenBack, .kept):
            return .again
        case (.resting, .takenBack(let buyer, let transfer, let cause)),
            (.requested, .takenBack(let buyer, let transfer, let cause)):
            state = .takenBack(for: buyer, transfer: transfer, cause)
            return .applied
        case (.takenBack(_, let known, _), .takenBack(let buyer, let transfer, let cause)):
            guard transfer > known else { return .again }
            state = .takenBack(for: buyer, transfer: transfer, cause)
            return .applied
        }
    }
}

extension Transfer {
    /// What is known of the transfers of a chain when somebody restores one of its purchases.
    struct History: Hashable, Sendable {
        var now = Timestamp(milliseconds: 0)
        /// When a purchase of the chain moved last.
        var movedAt: Timestamp?
        /// Who has asked for another purchase of the chain.
        var requester: BuyerID?

        fileprivate func permits(_ buyer: BuyerID, movedAt own: Timestamp?) -> Bool {
            if let requester, requester != buyer { return false }
            let last = [movedAt, own].compactMap(\.self).max()
            return last.map { now.milliseconds - $0.milliseconds >= Transfer.interval } ?? true
        }
    }
}

extension Transfer {
    init(requester: BuyerID?, movedAt: Timestamp?) {
        self.init(state: requester.map(State.requested) ?? .resting, movedAt: movedAt)
    }

    init(takenBackFor buyer: BuyerID, transfer: Int, _ cause: TransferCause = .restore) {
        self.init(state: .takenBack(for: buyer, transfer: transfer, cause))
    }
}

extension TransactionFacts {
    /// Whether a restore may move the purchase if its catalog says so: by the type that Apple signed, and not shared.
    var isTransferable: Bool {
        ProductType.isTransferable(type) && !isShared
    }

    /// Whether nothing that it states bars a restore; an old app receipt does not state the type.
    var mayBeTransferable: Bool { isTransferable || type.isEmpty && !isShared }
}

extension ProductType {
    /// Whether a restore may move purchases of a type, as Apple writes it.
    static func isTransferable(_ type: String) -> Bool { type == nonConsumable || type == autoRenewable }
}

extension Submission.Intent {
    /// Why a restore has moved nothing, in its verdict.
    var conflict: String {
        switch self {
        case .restore: "notTransferred"
        case .staleRestore: "staleProof"
        }
    }
}
