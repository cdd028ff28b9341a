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
/// | from \ event | stated of a chain with a holder | stated of one without | told   | told of another by a signed token |
/// |--------------|---------------------------------|-----------------------|--------|-----------------------------------|
/// | unknown      | –                               | *asks*: `asked`       | –      | *weighs*: `told`                  |
/// | asked        | –                               | –                     | `told` | `told`                            |
/// | told         | –                               | –                     | –      | *weighs*: `told`                  |
///
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
    /// Nil for nobody; `isSigned` if that buyer has it by a signed token.
    case told(BuyerID?, isSigned: Bool = false)

    enum Event: Equatable, Sendable {
        /// A transaction states that its chain, of which somebody holds a period or nobody does, replaces the other
        /// one.
        case stated(isHeld: Bool)
        /// The other chain's partition says who holds it.
        case told(BuyerID?, isSigned: Bool = false)
    }

    /// What the caller must do in the same transaction as the new state.
    enum Directive: Equatable, Sendable {
        /// The other chain's partition is asked.
        case ask
        /// The first period of the new chain is weighed, or finds its candidate.
        case weigh
    }

    mutating func apply(_ event: Event) -> [Directive] {
        switch (self, event) {
        case (.unknown, .stated(isHeld: false)):
            self = .asked
            return [.ask]
        case (.asked, .told(let buyer, let isSigned)):
            self = .told(buyer, isSigned: isSigned)
            return []
        case (.unknown, .told(let buyer, isSigned: true)):
            self = .told(buyer, isSigned: true)
            return [.weigh]
        case (.told(let known, _), .told(let buyer, isSigned: true)) where buyer != known:
            self = .told(buyer, isSigned: true)
            return [.weigh]
        case (.unknown, .stated(isHeld: true)), (.unknown, .told), (.asked, .stated), (.told, .stated),
            (.told, .told):
            return []
        }
    }

    /// The holder of the replaced chain, once it is known.
    var holder: BuyerID? { if case .told(let buyer, _) = self { buyer } else { nil } }
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
