import Contracts
import Domain

/// Who holds the chain that another one replaces, as far as it is known there.
///
/// Apple states the original transaction id of the chain that a bundle has replaced, and of the bundle that a
/// subscription has. Whoever holds the last period of that chain then counts as if they held a period before all that
/// are known of the new one (`ChainHolder`), so the evidence is no stronger than that of a chain's holder: a signed
/// token comes first, and before a purchase a named order. Its partition is asked once, while nobody holds any period
/// of the new chain:
///
/// | from \ event | stated of a chain with a holder | stated of one without | told   |
/// |--------------|---------------------------------|-----------------------|--------|
/// | unknown      | –                               | *asks*: `asked`       | –      |
/// | asked        | –                               | –                     | `told` |
/// | told         | –                               | –                     | –      |
///
/// - *asks*: what states it waits for the answer, and so does what comes behind it in its chain.
/// - –: nothing changes.
///
/// While a purchase of the other chain waits for Apple or Orders, it answers later. What the answer does not know stays
/// unknown: a chain that comes only later, or one that a restored store has lost, is nobody's. Then the other
/// candidates follow, as if Apple had stated nothing.
enum PreviousChain: Equatable, Sendable {
    case unknown
    case asked
    /// Nil for nobody.
    case told(BuyerID?)

    enum Event: Equatable, Sendable {
        /// A transaction states that its chain, of which somebody holds a period or nobody does, replaces the other
        /// one.
        case stated(isHeld: Bool)
        /// The other chain's partition says who holds it.
        case told(BuyerID?)
    }

    /// What the caller must do in the same transaction as the new state.
    enum Directive: Equatable, Sendable {
        case ask
    }

    mutating func apply(_ event: Event) -> [Directive] {
        switch (self, event) {
        case (.unknown, .stated(isHeld: false)):
            self = .asked
            return [.ask]
        case (.asked, .told(let buyer)):
            self = .told(buyer)
            return []
        case (.unknown, .stated(isHeld: true)), (.unknown, .told), (.asked, .stated), (.told, .stated),
            (.told, .told):
            return []
        }
    }

    /// The holder of the replaced chain, once it is known.
    var holder: BuyerID? {
        switch self {
        case .told(let buyer): buyer
        case .unknown, .asked: nil
        }
    }
}

extension SignedTransaction {
    /// The chain that this transaction's replaces; nil for none, and of what somebody else paid for.
    var replacedChain: TransactionID? {
        guard isPeriod, inAppOwnershipType != Ownership.familyShared,
            inAppOwnershipType != Ownership.assigned,
            let previous = previousOriginalTransactionId.flatMap(TransactionID.init(rawValue:)),
            previous.rawValue != originalTransactionId
        else { return nil }
        return previous
    }
}
