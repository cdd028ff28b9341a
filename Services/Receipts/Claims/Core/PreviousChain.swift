import Contracts
import Domain

/// Who holds the chain that another one replaces, as far as it is known there.
///
/// Tested by: `PreviousChainTests`.
///
/// Apple states the original transaction id of the chain that a bundle has replaced, and of the bundle that a
/// subscription has. The last period of that chain which was bought before then counts as if it were one of the new
/// chain (`ChainHolder`), so the evidence is no stronger than that of a chain's holder: a signed token comes first, and
/// before a purchase a named order. A renewal comes first after those of its own chain. The other chain's partition is
/// asked once of each purchase that states it, because chains may replace one another in turn:
///
/// | from \ event | stated of a decided one | stated of another one | told   | told of another by a signed token |
/// |--------------|-------------------------|-----------------------|--------|-----------------------------------|
/// | unknown      | –                       | *asks*: `asked`       | –      | *weighs*: `told`                  |
/// | asked        | –                       | –                     | `told` | `told`                            |
/// | told         | –                       | –                     | –      | *weighs*: `told`                  |
///
/// - *decided*: somebody holds it, or it is a renewal of a chain of which somebody holds a period.
/// - *asks*: what states it waits for the answer, and so does what comes behind it in its chain.
/// - *weighs*: a signed token has given the other chain to that buyer. What is held here with the other chain goes to
///   them, as a renewal does; what somebody has by more stays.
/// - –: nothing changes.
///
/// Only what was bought before counts. While it is not decided whose such a purchase of the other chain is, as it waits
/// for Apple or Orders or may be taken from its holder, it answers later. It answers once more when a signed token has
/// given one to another buyer; what a restore or an operator moves leaves the new chain where it is. What the answer
/// does not know stays unknown: a chain that comes only later, or one that a restored store has lost, is nobody's. Then
/// the other candidates follow, as if Apple had stated nothing.
enum PreviousChain: Equatable, Sendable {
    case unknown
    case asked
    /// Nil for nobody.
    case told(Holder?)

    /// Who holds the last period of a chain.
    struct Holder: Equatable, Sendable {
        let buyer: BuyerID
        /// When that period was bought.
        let purchasedAt: Timestamp
        /// Whether the buyer has it by a signed token.
        let isSigned: Bool

        var signed: Self { Self(buyer: buyer, purchasedAt: purchasedAt, isSigned: true) }
    }

    enum Event: Equatable, Sendable {
        /// A transaction of a purchase states that its chain replaces the other one.
        case stated(isDecided: Bool)
        /// The other chain's partition says who holds it.
        case told(Holder?)
    }

    /// What the caller must do in the same transaction as the new state.
    enum Directive: Equatable, Sendable {
        /// The other chain's partition is asked.
        case ask
        /// The purchase is weighed, or finds its candidate.
        case weigh
    }

    mutating func apply(_ event: Event) -> [Directive] {
        switch (self, event) {
        case (.unknown, .stated(isDecided: false)):
            self = .asked
            return [.ask]
        case (.asked, .told(let holder)):
            self = .told(holder)
            return []
        case (.unknown, .told(let holder?)) where holder.isSigned:
            self = .told(holder)
            return [.weigh]
        case (.told(let known), .told(let holder?)) where holder.isSigned && holder.buyer != known?.buyer:
            self = .told(holder)
            return [.weigh]
        case (.unknown, .stated(isDecided: true)), (.unknown, .told), (.asked, .stated), (.told, .stated),
            (.told, .told):
            return []
        }
    }

    /// The holder of the replaced chain, once it is known.
    var holder: Holder? { if case .told(let holder) = self { holder } else { nil } }
}

extension SignedTransaction {
    /// Whether it goes on with its own chain: a renewal, or what was added to a period.
    var isContinuation: Bool { transactionReason == "RENEWAL" || isAddition }

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
