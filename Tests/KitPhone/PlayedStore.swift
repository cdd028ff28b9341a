import CounterfoilClient

/// StoreKit, of which the events tell.
actor PlayedStore: TransactionSource {
    private struct Sheet {
        let token: String
        let answer: CheckedContinuation<Result<SeenTransaction, PurchaseOutcome>, Never>
    }

    private let output: PhoneOutput
    private let (updates, update) = AsyncStream<SeenTransaction>.makeStream()
    /// Open sheets, by the product.
    private var sheets: [String: Sheet] = [:]
    /// Transactions that nothing proves but the app receipt, by their ids.
    private var withoutProof: [String: PhoneEvent] = [:]

    init(output: PhoneOutput) { self.output = output }

    // MARK: What the events say

    /// StoreKit hands a transaction over, or lists it as unfinished.
    func handOver(_ event: PhoneEvent) {
        guard let id = event.transactionId else { return }
        if let proof = event.signedTransaction {
            tell(event, SeenTransaction(transactionID: id, content: .signedTransaction(proof)))
        } else {
            // StoreKit lists it again at the next launch, so that nothing is lost until the receipt comes.
            withoutProof[id] = event
            output.refreshReceipt()
        }
    }

    /// The app receipt is there: it proves whatever had no proof of its own.
    func take(receipt: String) {
        for (id, event) in withoutProof.sorted(by: { $0.key < $1.key }) {
            tell(event, SeenTransaction(transactionID: id, content: .appReceipt(receipt)))
        }
    }

    /// Approval is pending, or the buyer has not paid.
    func close(_ productID: String, _ result: Result<SeenTransaction, PurchaseOutcome>) {
        sheets.removeValue(forKey: productID)?.answer.resume(returning: result)
    }

    private func tell(_ event: PhoneEvent, _ transaction: SeenTransaction) {
        var seen = transaction
        seen.productID = event.productId
        seen.appAccountToken = event.appAccountToken
        let sheet = event.productId.flatMap { sheets[$0] }
        let isPaid = sheet.map { seen.appAccountToken == nil || seen.appAccountToken == $0.token } ?? false
        if event.event == "transaction", isPaid, let productID = seen.productID {
            close(productID, .success(seen))
        } else {
            update.yield(seen)
        }
    }

    // MARK: What the kit asks

    func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) async {
        for await transaction in updates { seen(transaction) }
    }

    /// None: an event tells of each.
    func unfinished() -> [SeenTransaction] { [] }

    func purchase(productID: String, appAccountToken: String) async throws(PurchaseOutcome) -> SeenTransaction
    {
        close(productID, .failure(.cancelled))
        output.pay(productID, token: appAccountToken)
        let result = await withCheckedContinuation { answer in
            sheets[productID] = Sheet(token: appAccountToken, answer: answer)
        }
        return try result.get()
    }

    func restored() -> [SeenTransaction] { [] }

    func finish(transactionID: String) {
        withoutProof[transactionID] = nil
        output.finish(transactionID)
    }

    /// The receipt comes as an event, if it comes at all.
    func refreshedReceipt() -> SeenTransaction? {
        output.refreshReceipt()
        return nil
    }

    func canMakePayments() -> Bool { true }

    func prices(of productIDs: [String]) -> [StorePrice]? { [] }
}
