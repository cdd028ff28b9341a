import CounterfoilClient

/// The gateway, of whose calls the executor knows: the kit asks the login for a token in a task of its own, elsewhere.
struct PhoneBackend: PurchaseBackend {
    let gateway: GatewayBackend
    let executor: PhoneExecutor

    func products(buyer: String) async -> [CatalogProduct]? {
        await noted { await gateway.products(buyer: buyer) }
    }

    func order(productID: String, buyer: String, key: String) async -> OrderAnswer {
        await noted { await gateway.order(productID: productID, buyer: buyer, key: key) }
    }

    func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) async -> String? {
        await noted { await gateway.report(orderID: orderID, buyer: buyer, outcome) }
    }

    func submit(_ submission: Submission) async -> DeliveryAnswer {
        await noted { await gateway.submit(submission) }
    }

    func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) async {
        await noted { await gateway.log(orderID: orderID, buyer: buyer, entries) }
    }

    private func noted<Value>(_ call: () async -> Value) async -> Value {
        executor.begin()
        defer { executor.end() }
        return await call()
    }
}
