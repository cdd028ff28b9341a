#if canImport(StoreKit)
internal import Foundation
public import StoreKit

/// StoreKit 2, and the app's receipt for apps that want it handed in, too; every decision is `PurchaseFlow`'s.
public actor StoreKitSource: TransactionSource {
    /// How Apple's sheet is shown; the options have the token, which has to go along.
    public typealias Purchase =
        @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult

    private var open: [String: Transaction] = [:]
    private let handsInReceipt: Bool
    private var hasRefreshed = false
    private let handsInXcode: Bool
    private let buy: Purchase

    /// With `handsInReceipt` a restore hands the app's receipt in, too: for purchases that StoreKit 1 made.
    ///
    /// What Xcode's tests have sold proves nothing to the gateway: it is neither kept, sent nor finished, unless your
    /// own backend takes it (`handsInXcode`). `buy` adds options, such as an offer, or confirms in a scene.
    public init(
        handsInReceipt: Bool = false,
        handsInXcode: Bool = false,
        buy: @escaping Purchase = { try await $0.purchase(options: $1) }
    ) { (self.handsInReceipt, self.handsInXcode, self.buy) = (handsInReceipt, handsInXcode, buy) }

    /// Listens to `Transaction.updates` until the task is cancelled.
    public func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) async {
        for await result in Transaction.updates { note(result).map(seen) }
    }

    /// What `Transaction.unfinished` lists now, also what the phone does not trust: the gateway judges it.
    public func unfinished() async -> [SeenTransaction] {
        var found: [SeenTransaction] = []
        for await result in Transaction.unfinished { note(result).map { found.append($0) } }
        return found
    }

    /// Shows Apple's sheet, with the token; what it returns is paid and not finished, what it throws is not paid yet.
    public func purchase(
        productID: String,
        appAccountToken: String
    ) async throws(PurchaseOutcome) -> SeenTransaction {
        do {
            guard let product = try await Product.products(for: [productID]).first,
                let token = UUID(uuidString: appAccountToken)
            else { throw PurchaseOutcome.failed(domain: "StoreKit", code: "productUnavailable") }
            switch try await buy(product, [.appAccountToken(token)]) {
            case .success(let result):
                if let seen = note(result) { return seen }
                throw PurchaseOutcome.failed(domain: "StoreKit", code: "xcodeEnvironment")
            case .userCancelled: throw PurchaseOutcome.cancelled
            case .pending: throw PurchaseOutcome.deferred
            @unknown default: throw PurchaseOutcome.failed(domain: "StoreKit", code: "unknownResult")
            }
        } catch { throw Self.outcome(error) }
    }

    /// Asks Apple anew, so that the proofs are fresh, and lists what the buyer may use.
    public func restored() async throws(PurchaseOutcome) -> [SeenTransaction] {
        do { try await AppStore.sync() } catch { throw Self.outcome(error) }
        var found: [SeenTransaction] = []
        for await result in Transaction.currentEntitlements {
            note(result, isRestore: true).map { found.append($0) }
        }
        if handsInReceipt, var seen = await AppReceipt.refreshed() {
            seen.isRestore = true
            found.append(seen)
        }
        return found
    }

    /// Finishes it, also one of an earlier launch, if it is not finished already.
    public func finish(transactionID: String) async {
        if let transaction = open.removeValue(forKey: transactionID) { return await transaction.finish() }
        for await result in Transaction.unfinished where "\(result.unsafePayloadValue.id)" == transactionID {
            await result.unsafePayloadValue.finish()
        }
    }

    /// The receipt that Apple sends; at most one request a launch, because it may ask for a password.
    public func refreshedReceipt() async -> SeenTransaction? {
        guard handsInReceipt, !hasRefreshed else { return nil }
        hasRefreshed = true
        return await AppReceipt.refreshed()
    }

    /// Whether the phone's owner allows purchases.
    public func canMakePayments() -> Bool { AppStore.canMakePayments }

    /// Names and prices of the store where the buyer shops; nil where it cannot be asked.
    public func prices(of productIDs: [String]) async -> [StorePrice]? {
        do {
            return try await Product.products(for: productIDs).map {
                StorePrice(productID: $0.id, displayName: $0.displayName, displayPrice: $0.displayPrice)
            }
        } catch { return nil }
    }

    private static func outcome(_ error: any Error) -> PurchaseOutcome {
        if let outcome = error as? PurchaseOutcome { return outcome }
        if case StoreKitError.userCancelled = error { return .cancelled }
        // Such as `StoreKit.StoreKitError` and `networkError`; what a case carries may be long and private.
        let code = String(describing: error).prefix { $0.isLetter || $0.isNumber }
        return .failed(domain: String(reflecting: type(of: error)), code: String(code))
    }

    /// The gateway checks the signature: one that the phone does not trust is handed in all the same.
    private func note(_ result: VerificationResult<Transaction>, isRestore: Bool = false) -> SeenTransaction?
    {
        let transaction = result.unsafePayloadValue
        guard handsInXcode || transaction.environmentStringRepresentation != "Xcode" else { return nil }
        let id = String(transaction.id)
        if !isRestore { open[id] = transaction }
        var seen = SeenTransaction(transactionID: id, content: .signedTransaction(result.jwsRepresentation))
        seen.productID = transaction.productID
        seen.appAccountToken = transaction.appAccountToken?.uuidString.lowercased()
        seen.isRestore = isRestore
        return seen
    }
}
#endif
