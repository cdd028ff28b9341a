#if canImport(StoreKit)
internal import Foundation
internal import StoreKit

/// StoreKit 2, and the app's receipt for apps that want it handed in, too.
///
/// What it cannot do without a phone is here and nothing else: every decision is `PurchaseFlow`'s.
public actor StoreKitSource: TransactionSource {
    private var open: [String: Transaction] = [:]
    private let receipt: AppReceipt?

    /// With `receipt` a restore hands the app's receipt in, too: for purchases that StoreKit 1 made.
    public init(receipt: AppReceipt? = nil) {
        self.receipt = receipt
    }

    /// Listens to `Transaction.updates` until the task is cancelled.
    public func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) async {
        for await result in Transaction.updates { seen(note(result)) }
    }

    /// What `Transaction.unfinished` lists now.
    public func unfinished() async -> [SeenTransaction] {
        var found: [SeenTransaction] = []
        for await result in Transaction.unfinished { found.append(note(result)) }
        return found
    }

    /// Shows Apple's sheet; returns when it is gone.
    public func purchase(productID: String, appAccountToken: String?) async -> PurchaseResult {
        do {
            guard let product = try await Product.products(for: [productID]).first else {
                return .failed(domain: "StoreKit", code: "productUnavailable")
            }
            let token = appAccountToken.flatMap { UUID(uuidString: $0) }
            let options = token.map { [Product.PurchaseOption.appAccountToken($0)] } ?? []
            switch try await product.purchase(options: Set(options)) {
            case .success(let result): return .transaction(note(result))
            case .userCancelled: return .cancelled
            case .pending: return .pending
            @unknown default: return .failed(domain: "StoreKit", code: "unknownResult")
            }
        } catch StoreKitError.userCancelled {
            return .cancelled
        } catch {
            // Such as `StoreKit.StoreKitError` and `networkError`; what a case carries may be long and private.
            let code = String(describing: error).prefix { $0.isLetter || $0.isNumber }
            return .failed(domain: String(reflecting: type(of: error)), code: String(code))
        }
    }

    /// Asks Apple anew, so that the proofs are fresh, and lists what the buyer may use.
    public func restored() async -> [SeenTransaction] {
        // The buyer closed the sheet, or there is no network: nothing is restored, and nothing lost.
        do { try await AppStore.sync() } catch { return [] }
        var found: [SeenTransaction] = []
        for await result in Transaction.currentEntitlements {
            found.append(note(result, isRestore: true))
        }
        if var seen = await receipt?.current(refreshing: true) {
            seen.isRestore = true
            found.append(seen)
        }
        return found
    }

    /// Finishes it, if it is not finished already.
    public func finish(transactionID: String) async {
        if let transaction = open.removeValue(forKey: transactionID) { return await transaction.finish() }
        for await result in Transaction.unfinished
        where String(result.unsafePayloadValue.id) == transactionID {
            await result.unsafePayloadValue.finish()
        }
    }

    /// The receipt that Apple sends; at most one request a launch, because it may ask for a password.
    public func refreshedReceipt() async -> SeenTransaction? {
        await receipt?.current(refreshing: true)
    }

    /// Whether the phone's owner allows purchases.
    public func canMakePayments() -> Bool { AppStore.canMakePayments }

    /// Names and prices of the store where the buyer shops; none where it cannot be asked.
    public func prices(of productIDs: [String]) async -> [StorePrice] {
        do {
            return try await Product.products(for: productIDs).map {
                StorePrice(productID: $0.id, displayName: $0.displayName, displayPrice: $0.displayPrice)
            }
        } catch {
            return []
        }
    }

    /// The gateway checks the signature: one that the phone does not trust is handed in all the same.
    private func note(_ result: VerificationResult<Transaction>, isRestore: Bool = false) -> SeenTransaction {
        let transaction = result.unsafePayloadValue
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
