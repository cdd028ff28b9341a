package import Contracts
import Domain

/// What the claim needs to know of one thing that Apple said about a transaction.
package struct Statement: Equatable, Sendable {
    package let signedDate: Timestamp
    package let isRevoked: Bool
    /// The UUID that the app gave to StoreKit, in lower case; nil when there was none, or no UUID.
    package let token: String?

    package init(signedDate: Timestamp, isRevoked: Bool = false, token: String? = nil) {
        self.signedDate = signedDate
        self.isRevoked = isRevoked
        self.token = token
    }

    /// What `facts` state.
    package init(_ facts: TransactionFacts) {
        self.init(
            signedDate: facts.signedDate,
            isRevoked: facts.revocationDate != nil,
            token: facts.appAccountToken.flatMap(Self.token(_:))
        )
    }

    /// This statement with the token of an earlier one, if it is silent about it: a token is given once, for ever.
    package func keeping(tokenOf known: Statement?) -> Statement {
        Statement(signedDate: signedDate, isRevoked: isRevoked, token: token ?? known?.token)
    }

    /// Whether the token can be an order's id.
    package var namesOrder: Bool { token.flatMap(OrderID.init(rawValue:)) != nil }

    /// Whether this statement holds and `known` does not any more.
    package func supersedes(_ known: Statement?) -> Bool {
        guard let known else { return true }
        return recency > known.recency
    }

    private var recency: Recency { Recency(signedDate: signedDate, isRevoked: isRevoked) }

    /// The UUID in `text` in lower case, in which Counterfoil compares them: Apple may change the case.
    private static func token(_ text: String) -> String? {
        let isUUID =
            text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
            }
        return isUUID ? text.lowercased() : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
