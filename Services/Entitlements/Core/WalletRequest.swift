import Contracts
import Domain

/// What names a request of a wallet: its key, and what it is to do.
struct WalletRequest: Hashable, Sendable {
    /// What is asked for; one key may be used once for each.
    enum Route: String, Sendable, CaseIterable {
        case spend, credit, reverse

        init(_ kind: WalletMoveV1.Kind) {
            self =
                switch kind {
                case .spend: .spend
                case .credit: .credit
                }
        }
    }

    let route: Route
    let bundleId: BundleID
    let buyerId: BuyerID
    let idempotencyKey: String
    /// A digest of everything but the key.
    let fingerprint: String

    /// `content` is the request as text without its key; equal requests have equal text.
    init(_ route: Route, _ bundle: BundleID, _ buyer: BuyerID, key: String, content: String) {
        (self.route, bundleId, buyerId, idempotencyKey) = (route, bundle, buyer, key)
        fingerprint = DerivedID.hexadecimal([content])
    }

    /// The reply to the request that used the key before, which must have been the same.
    func repeated(_ fingerprint: String, _ reply: WalletEntryV1) throws(RequestRefusal) -> WalletEntryV1 {
        guard fingerprint == self.fingerprint else { throw .keyReused }
        return reply
    }
}

extension EntryID {
    /// The id of the entry to which a request leads: a repeated one leads to the same, also in a restored store.
    init(of request: WalletRequest) {
        self.init(naming: [
            "wallet", request.route.rawValue, request.bundleId.rawValue, request.buyerId.rawValue,
            request.idempotencyKey,
        ])
    }
}
