import Contracts
import Domain

/// The facts of a transaction that its claim needs.
struct ClaimFacts: Equatable, Sendable {
    var signedDate: Timestamp
    var isRevoked = false
    /// Whether Apple has stated whose it is; an app receipt does not say it.
    var isWhole = false
    /// Whether it is a period of a subscription, which has others beside it.
    var isPeriod = false
    /// Whether somebody else paid for it: access comes and goes with that, and nobody may ever ask for it here.
    var isShared = false
    /// Whether it is a member's copy of a seat, which is shared and takes no part in its chain.
    var isAssigned = false
    /// The UUID that the app gave to StoreKit, in lower case; nil for none or a non-UUID.
    var token: String?

    /// These facts, or with the token of earlier ones if they have none: a token never changes.
    func keeping(tokenOf known: ClaimFacts?) -> ClaimFacts {
        var facts = self
        facts.token = token ?? known?.token
        return facts
    }

    /// The newer of these facts and earlier ones, with what only the other one says; nil if nothing is new.
    func joined(to known: ClaimFacts?) -> ClaimFacts? {
        guard let known else { return self }
        let isNewer = supersedes(known)
        guard isNewer || isWhole && !known.isWhole else { return nil }
        let other = isNewer ? known : self
        var facts = (isNewer ? self : known).keeping(tokenOf: other)
        facts.isPeriod = isPeriod || known.isPeriod
        guard !facts.isWhole, other.isWhole else { return facts }
        (facts.isWhole, facts.isShared, facts.isAssigned) = (true, other.isShared, other.isAssigned)
        return facts
    }

    /// Whether the token can be an order's id.
    var namesOrder: Bool { token.flatMap(OrderID.init(rawValue:)) != nil }

    func supersedes(_ known: ClaimFacts?) -> Bool {
        known.map { recency > $0.recency } ?? true
    }

    private var recency: Recency { Recency(signedDate: signedDate, isRevoked: isRevoked) }
}

extension ClaimFacts {
    init(_ facts: TransactionFacts) {
        self.init(
            signedDate: facts.signedDate,
            isRevoked: facts.revocationDate != nil,
            isWhole: facts.isWhole,
            isPeriod: facts.isPeriod,
            isShared: facts.isShared,
            isAssigned: facts.isAssigned,
            token: facts.appAccountToken.flatMap(UUIDText.init)?.text
        )
    }
}

extension String {
    /// Whether it has the form of Apple's ids: digits only, so it is safe in a path.
    var isAppleNumber: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
